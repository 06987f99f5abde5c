import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean)
const sources = tracked.filter(
  (path) => /^(packages|apps)\/.*\.tsx?$/.test(path) && !path.endsWith('.d.ts'),
)
const text = (path: string) => readFileSync(join(root, path), 'utf8')

describe('the sources', () => {
  it('are there to be checked', () => expect(sources.length).toBeGreaterThan(50))

  it('have no drawers', () => {
    expect(
      tracked.filter((path) =>
        /(^|\/)(utils?|helpers?|common|misc|shared|manager)(\/|\.|-)/.test(path),
      ),
    ).toEqual([])
    expect(
      sources.filter((path) => path.startsWith('packages/') && basename(path) === 'index.ts'),
    ).toEqual([])
  })

  it('hold no any, no double cast and no silenced check', () => {
    const loose = /(?<!\?):\s*any\b|<any>|\bas any\b|as unknown as|@ts-(ignore|nocheck)/
    expect(sources.filter((path) => !path.endsWith('.test.ts') && loose.test(text(path)))).toEqual(
      [],
    )
  })

  it('give the page types of the server, and functions that import nothing', () => {
    const imported = sources
      .filter((path) => path.startsWith('apps/dashboard/'))
      .flatMap((path) => [
        ...text(path).matchAll(/^import (type )?[^']*'@secretary-mcp\/([\w-]+)\/([^']+)'/gm),
      ])
    expect(imported.length).toBeGreaterThan(10)
    const used = imported.filter(([, isType]) => !isType)
    const paths = used.map(([, , name, path]) => `packages/${name}/src/${path}`)
    expect(paths.filter((path) => /^import /m.test(text(path)))).toEqual([])
  })

  it('I18 point from every tool to the template beside it', () => {
    const tools = sources.filter(
      (path) =>
        /\/tools\/[^/]+\.ts$/.test(path) &&
        path.startsWith('packages/') &&
        !path.endsWith('.test.ts'),
    )
    expect(tools.length).toBeGreaterThan(4)
    for (const path of tools) {
      expect(text(path).split('\n')[0], path).toMatch(/^\/\/ Template: \.\/README\.md/)
      expect(tracked, path).toContain(path.replace(/[^/]+$/, 'README.md'))
    }
  })
})

describe('the repository', () => {
  it('skips and focuses no test', () => {
    const tests = tracked.filter(
      (path) => path.endsWith('.test.ts') && !path.includes('source-rules'),
    )
    expect(
      tests.filter((path) => /\b(it|test|describe)\.(skip|only|todo)\b/.test(text(path))),
    ).toEqual([])
  })

  it('starts no process and no database in a unit test', () => {
    const elsewhere = text('vitest.config.ts')
    const starts = /'node:child_process'|published-clone\.ts'|mcp-client\.ts'/
    const tests = sources.filter(
      (path) =>
        path.endsWith('.test.ts') &&
        !/\/(?:store|storage|sqlite|index|postgres|usage)\/|redact-stored/.test(path),
    )
    expect(tests.length).toBeGreaterThan(100)
    expect(
      tests.filter((path) => starts.test(text(path)) && !elsewhere.includes(`'${path}'`)),
    ).toEqual([])
  })

  it('names no download address in the lock file', () => {
    expect(text('package-lock.json')).not.toMatch(/"resolved": "http/)
  })

  it('pins every dependency exactly', () => {
    const { dependencies, devDependencies } = JSON.parse(text('package.json')) as Record<
      string,
      Record<string, string>
    >
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      expect(version, name).toMatch(/^\d/)
  })
})
