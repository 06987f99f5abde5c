import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { packageFacts } from '../../scripts/packaging/package-facts.ts'
import { packagingFiles } from '../../scripts/packaging/packaging-files.ts'

const root = new URL('../..', import.meta.url).pathname
const text = (path: string) => readFileSync(join(root, path), 'utf8')
const json = (path: string) => JSON.parse(text(path))

const kebab = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
const semver = z.string().regex(/^\d+\.\d+\.\d+$/)
const entry = z.strictObject({ command: z.string(), args: z.array(z.string()) })
const servers = z.record(kebab, entry)
const relative = z
  .string()
  .startsWith('./')
  .refine((path) => !path.includes('..'))
const about = z.object({
  name: kebab,
  version: semver,
  description: z.string().min(1),
  author: z.strictObject({ name: z.string() }),
  repository: z.url(),
  license: z.string(),
  keywords: z.array(z.string()),
})
const shop = z.strictObject({
  name: kebab,
  owner: z.strictObject({ name: z.string() }),
  metadata: z.strictObject({ description: z.string(), version: semver }),
  plugins: z
    .array(
      z.strictObject({
        name: kebab,
        description: z.string(),
        version: semver,
        source: relative,
        category: z.string().optional(),
      }),
    )
    .nonempty(),
})
const hook = z.strictObject({
  type: z.literal('command'),
  command: z.string(),
  timeout: z.number(),
})
const hooks = z.strictObject({
  hooks: z.strictObject({
    SessionStart: z.array(
      z.strictObject({ matcher: z.string().optional(), hooks: z.array(hook).nonempty() }),
    ),
  }),
})

/** Written from what each of them documents; those that have a checker of their own are also run (test:agents, test/e2e). */
const FORMS: Readonly<Record<string, z.ZodType>> = {
  '.claude-plugin/marketplace.json': shop,
  '.cursor-plugin/marketplace.json': shop,
  '.agents/plugins/marketplace.json': z.strictObject({
    name: kebab,
    interface: z.strictObject({ displayName: z.string() }),
    plugins: z
      .array(
        z.strictObject({
          name: kebab,
          source: z.strictObject({ source: z.literal('local'), path: relative }),
          policy: z.strictObject({
            installation: z.enum(['AVAILABLE', 'INSTALLED_BY_DEFAULT', 'NOT_AVAILABLE']),
            authentication: z.enum(['ON_INSTALL', 'ON_USE']),
          }),
          category: z.string(),
        }),
      )
      .nonempty(),
  }),
  'plugins/claude-code/.claude-plugin/plugin.json': about.strict(),
  'plugins/claude-code/.mcp.json': z.strictObject({ mcpServers: servers }),
  'plugins/claude-code/hooks/hooks.json': hooks,
  'plugins/codex/.codex-plugin/plugin.json': about
    .extend({
      skills: relative,
      mcpServers: relative,
      hooks: relative,
      interface: z.record(z.string(), z.string()),
    })
    .strict(),
  'plugins/codex/.mcp.json': z.strictObject({ mcpServers: servers }),
  'plugins/codex/hooks/hooks.json': hooks,
  'plugins/cursor/.cursor-plugin/plugin.json': about
    .extend({ displayName: z.string(), mcpServers: relative })
    .strict(),
  'plugins/cursor/mcp.json': z.strictObject({ mcpServers: servers }),
  'plugins/gemini-cli/gemini-extension.json': z.strictObject({
    name: kebab,
    version: semver,
    description: z.string(),
    mcpServers: servers,
  }),
  'plugins/gemini-cli/hooks/hooks.json': hooks,
  'server.json': z.strictObject({
    $schema: z.literal(
      'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ),
    name: z.string().regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    title: z.string().max(100),
    description: z.string().min(1).max(100),
    version: semver,
    repository: z.strictObject({ url: z.url(), source: z.literal('github') }),
    packages: z
      .array(
        z.strictObject({
          registryType: z.enum(['npm', 'pypi', 'oci', 'nuget', 'mcpb']),
          identifier: z.string(),
          version: semver,
          transport: z.strictObject({ type: z.literal('stdio') }),
          packageArguments: z.array(
            z.discriminatedUnion('type', [
              z.strictObject({ type: z.literal('positional'), value: z.string() }),
              z.strictObject({ type: z.literal('named'), name: z.string(), value: z.string() }),
            ]),
          ),
          environmentVariables: z.array(
            z.strictObject({
              name: z.string(),
              description: z.string(),
              isRequired: z.boolean(),
              isSecret: z.boolean(),
              format: z.enum(['string', 'number', 'boolean', 'filepath']),
            }),
          ),
        }),
      )
      .nonempty(),
  }),
}

describe('what the shops read', () => {
  it.each(Object.entries(FORMS))('%s has the form that its reader documents', (path, form) => {
    expect(form.safeParse(json(path)).error?.message).toBeUndefined()
  })

  it('checks every generated file', () => {
    const files = [...packagingFiles(packageFacts(manifest, [])).keys()]
    const unchecked = files.filter((path) => path.endsWith('.json') && !(path in FORMS))
    // `mcpb validate` reads this one.
    expect(unchecked).toEqual(['plugins/claude-desktop/manifest.json'])
  })

  it('points only to what is there', () => {
    for (const path of Object.keys(FORMS)) {
      const base = path.endsWith('marketplace.json') ? root : join(root, dirname(path), '..')
      for (const [, target = ''] of text(path).matchAll(/"(\.\/[^"]+)"/g))
        expect(existsSync(join(base, target)), `${path}: ${target}`).toBe(true)
    }
  })

  it('has skills whose names are those of their folders', () => {
    const skills = [...packagingFiles(packageFacts(manifest, [])).keys()].filter((path) =>
      path.endsWith('/SKILL.md'),
    )
    expect(skills.length).toBe(5)
    for (const path of skills) {
      const head = parse(text(path).split('---\n')[1] ?? '')
      expect(head.name).toBe(dirname(path).split('/').at(-1))
      expect(head.description.length).toBeLessThanOrEqual(1024)
      expect(Object.keys(head)).toEqual([
        'name',
        'description',
        'license',
        'compatibility',
        'metadata',
      ])
      expect(text(path).split('\n').length).toBeLessThan(500)
    }
  })

  it('the registry of servers finds its own name in the package', () => {
    expect(json('server.json').name).toBe(manifest.mcpName)
    expect(manifest.mcpName).toMatch(/^io\.github\.[\w-]+\/[\w-]+$/)
  })
})

describe('the lines that install a published package', () => {
  const page = text('docs/releasing.md')
  const { command, args } = json('plugins/claude-code/.mcp.json').mcpServers.secretary

  it('the link for Cursor carries the entry of its plugin', () => {
    const link = new URL(/https:\/\/cursor\.com\/[^)]+/.exec(page)?.[0] ?? '')
    const config = Buffer.from(link.searchParams.get('config') ?? '', 'base64').toString('utf8')
    expect(link.searchParams.get('name')).toBe('secretary')
    expect(JSON.parse(config)).toEqual(json('plugins/cursor/mcp.json').mcpServers.secretary)
  })

  it('the line for VS Code starts what the plugins start, with the names that VS Code knows', () => {
    const [, given = ''] = /code --add-mcp '([^']+)'/.exec(page) ?? []
    expect(JSON.parse(given)).toEqual({
      name: 'secretary',
      command,
      args: args.filter((arg: string) => arg !== '--dialog-prefix='),
    })
  })

  it('install this package by its name with a scope, which nobody else can register', () => {
    expect(manifest.name).toMatch(/^@[\w-]+\/[\w-]+$/)
    const names = [...page.matchAll(/npm install (?:--global )?([@\w/-]+)/g)].map(
      ([, name]) => name,
    )
    expect(names).toEqual([manifest.name])
  })
})

describe('the name of the package', () => {
  it('stands in package.json alone: another name changes every file that installs it', () => {
    const files = [...packagingFiles(packageFacts({ ...manifest, name: '@acme/memory' }, []))]
    const names = files.filter(([, made]) => made.includes('@acme/memory')).map(([path]) => path)
    expect(names).toEqual(['server.json'])
    for (const [path, made] of files) expect(made, path).not.toContain(manifest.name)
  })

  it('is never given to npx by a plugin: what is not installed is not started', () => {
    for (const [path, made] of packagingFiles(packageFacts(manifest, [])))
      expect(made, path).not.toMatch(/\bnpx\b/)
  })
})
