import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SHORTEST_LICENCE = 500
const root = new URL('../..', import.meta.url).pathname
const { dependencies, devDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as Record<'dependencies' | 'devDependencies', Record<string, string>>
const licences = readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')

describe('what is shipped', () => {
  it('depends only on packages with native parts; the rest is in the bundle', () => {
    expect(Object.keys(dependencies).sort()).toEqual(['@photostructure/sqlite', '@vscode/ripgrep'])
  })

  it('imports nothing from outside that is not a dependency or a part of Node', () => {
    const script = `import { readdirSync, readFileSync } from 'node:fs'
      const files = ['dist/secretary.js', 'dist/index-worker.js', ...readdirSync('dist/parts').map((name) => 'dist/parts/' + name)]
      const names = files.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/(?:^|[;}\\n])import(?:[^"'()]*?from)?\\s*["']([^"'.][^"']*)["']/g)].map(([, name]) => name))
      console.log(JSON.stringify([...new Set(names)]))`
    const names = JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        cwd: root,
        encoding: 'utf8',
      }),
    ) as string[]
    expect(names.length).toBeGreaterThan(3)
    const foreign = names.filter((name) => !name.startsWith('node:') && !(name in dependencies))
    const builtIn = new Set(process.getBuiltinModule('node:module').builtinModules)
    expect(foreign.filter((name) => !builtIn.has(name.split('/')[0] ?? ''))).toEqual([])
  })

  it('carries the licence of every package that is bundled', () => {
    for (const name of ['zod', 'hono', 'kysely', 'preact', '@modelcontextprotocol/server', 'pg'])
      expect(licences, name).toContain(`\n${name} ${devDependencies[name]} (`)
    expect(licences).toContain('@vscode/tree-sitter-wasm')
    const [, ...all] = licences.split(`\n${'-'.repeat(80)}\n`)
    expect(all.length).toBeGreaterThan(25)
    expect(all.filter((one) => one.length < SHORTEST_LICENCE)).toEqual([])
  })

  it('stages the licence of every package that the bundle leaves outside', () => {
    const target = temporaryFolder()
    const script = `import { stageServer } from './apps/vscode/scripts/stage-server.mjs'
      stageServer('.', process.argv[1])`
    execFileSync(process.execPath, ['--input-type=module', '-e', script, target], { cwd: root })
    const modules = join(target, 'node_modules')
    const folders = readdirSync(modules, { recursive: true, encoding: 'utf8' })
      .filter((path) => /^(@[^/]+\/)?[^/]+\/package\.json$/.test(path))
      .map((path) => join(modules, path, '..'))
    expect(folders.length).toBeGreaterThan(3)
    const isLicence = (name: string) => /^(licen[cs]e|copying)/i.test(name)
    expect(folders.filter((folder) => !readdirSync(folder).some(isLicence))).toEqual([])
  })

  it('has every grammar that a language asks for', () => {
    const languages = readFileSync(join(root, 'packages/search/src/syntax/languages.ts'), 'utf8')
    const names = [...languages.matchAll(/grammar: '([\w-]+)'/g)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(10)
    for (const name of names)
      expect(existsSync(join(root, `dist/grammars/tree-sitter-${name}.wasm.gz`)), name).toBe(true)
  })

  it('starts without the query layer, which loads with the first question to the database', () => {
    const parts = join(root, 'dist/parts')
    const loaded = new Set<string>()
    const follow = (name: string) => {
      if (loaded.has(name)) return
      loaded.add(name)
      const text = readFileSync(join(parts, name), 'utf8')
      for (const [, next] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) follow(next ?? '')
    }
    const apps = readdirSync(parts).filter((name) => /^app-\w+\.js$/.test(name))
    for (const name of apps) follow(name)
    const queries = [...loaded].filter((name) =>
      readFileSync(join(parts, name), 'utf8').includes('isKyselyProps'),
    )
    expect(apps).toHaveLength(1)
    expect(queries).toEqual([])
  })
})
