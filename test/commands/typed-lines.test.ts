import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { keepWorkedDialog } from '../support/worked-dialog.ts'

/** They stay until they are stopped, or start another program: their own tests run them. */
const STAYING = /^secretary (?:serve|open|mcp|resume|index --watch|chat$)|\$\(secretary /
/** What stands for something of the reader's own. */
const MADE_UP = /\b(?:SESSION|TOOL|PATH|NAME|ID|abc\S*|123|1234\S*|DIALOG|TITLE)\b/

const page = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** Not understood, or never thought of; that something destroying asks first is right. */
function isRefused({ status, stderr }: { status: number | null; stderr: string }): boolean {
  if (stderr.includes('add --yes to confirm')) return false
  return status === null || status > 1 || stderr.includes('Unexpected error')
}

/** Commands in the fenced blocks of a page, without what a table of them says beside each. */
function linesIn(path: string): string[] {
  const blocks = [...page(path).matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(
    ([, block = '']) => block,
  )
  return blocks
    .flatMap((block) => block.split('\n'))
    .flatMap((line) => /^(?:\$ )?(secretary .*?)(?: {2,}.*)?$/.exec(line)?.[1] ?? [])
}

describe('lines that the README, the documents and the help texts show', () => {
  let env: Record<string, string>
  let home: AgentsHome
  const type = (line: string) =>
    spawnSync('bash', ['-c', line], {
      env,
      cwd: home.project,
      encoding: 'utf8',
      input: '',
      timeout: 120_000,
    })
  const help = (words: readonly string[]): string =>
    type(['secretary', ...words, '--help'].join(' ')).stdout

  beforeAll(() => {
    const folder = temporaryFolder()
    home = new AgentsHome(folder)
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    writeFileSync(
      join(bin, 'secretary'),
      `#!/bin/sh\nexec "${process.execPath}" "${binary}" "$@"\n`,
    )
    chmodSync(join(bin, 'secretary'), 0o755)
    env = isolatedEnvironment({ ...home.env, SECRETARY_RATE_LIMITS: 'off' })
    env.PATH = [bin, process.env.PATH].join(delimiter)
    const file = (path: string, text: string) => {
      mkdirSync(dirname(join(home.project, path)), { recursive: true })
      writeFileSync(join(home.project, path), text)
    }
    const price = 'export function price(cents: number) {\n  return (cents / 100).toFixed(2)\n}\n'
    file('src/price.ts', price)
    for (const path of ['src/a.ts', 'src/login.ts']) file(path, price.repeat(20))
    file(
      'src/tokens.ts',
      '/** Where tokens are checked. */\nexport const checkTokens = () => true\n',
    )
    file('package.json', '{"name":"prices","scripts":{"test":"true"}}\n')
    file('README.md', '# Prices\n')
    file(
      'my-rule.md',
      '---\nwatch:\n  on: commit\n  require: ["npm test"]\n---\n# Tests before a commit\n',
    )
    keepWorkedDialog(
      home,
      'prices',
      [
        {
          ask: 'Show prices with two decimals. Never log what a customer bought.',
          acts: [
            { write: 'src/price.ts', text: price },
            { run: 'npm test', output: '1 passed' },
          ],
          says: 'Done.',
          minutesAgo: 5,
        },
        { ask: 'Answer in German. I mean: from now on answer in German.', minutesAgo: 1 },
      ],
      { lastAt: Date.now() },
    )
    const git = (...args: string[]) => spawnSync('git', ['-C', home.project, ...args], { env })
    git('init', '-q', '-b', 'main')
    git('add', '.')
    git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-qm', 'begin')
    type('secretary tasks add Buy milk')
    type('mkdir -p ~/shared && secretary sync init --folder ~/shared')
  })

  it.each(['README.md', 'docs/command-line.md'])('of %s work when typed', (path) => {
    const failed = linesIn(path)
      .filter((line) => !STAYING.test(line))
      .map((line) => ({ line, ...type(line) }))
      .filter(({ line, status }) => status !== 0 && !(MADE_UP.test(line) && status === 1))
      .map(({ line, status, stderr }) => `${line} → ${status} ${stderr}`)
    expect(linesIn(path).length).toBeGreaterThan(3)
    expect(failed).toEqual([])
  })

  it('of --help are understood when typed', () => {
    const seen = new Set<string>()
    const collect = (words: readonly string[]) => {
      const text = help(words)
      for (const [, line = ''] of text.matchAll(/^ {2}(secretary .*?)(?: {2,}.*)?$/gm))
        seen.add(line)
      const [, listed = ''] = text.split(/^(?:Commands|Set up):$/m)
      if (words.length > 1) return
      for (const [, name = ''] of listed.matchAll(/^ {2}([a-z][a-z-]*)(?=[ |])/gm))
        if (name !== 'help') collect([...words, name])
    }
    collect([])
    expect(seen.size).toBeGreaterThan(40)
    // Whatever it finds, no line is one that Secretary does not understand.
    const failed = [...seen]
      .filter((line) => !STAYING.test(line))
      .map((line) => ({ line, ...type(line) }))
      .filter(isRefused)
      .map(({ line, status, stderr }) => `${line} → ${status} ${stderr}`)
    expect(failed).toEqual([])
  })
})
