import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type DeedsHouse, deedsHouse } from '../../../../../test/support/deeds-house.ts'
import { noSignal } from '../../../../../test/support/dialogs-service.ts'

const GREET = `export function greet(name: string) {\n  return \`Hello, \${name}\`\n}\n`

function git(folder: string, ...args: string[]): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  execFileSync('git', ['-C', folder, ...who, ...args], { stdio: 'pipe' })
}

function house(): DeedsHouse {
  const under = deedsHouse()
  under.home.claude('cc-deeds.jsonl', under.home.sample('claude-code/deeds.jsonl'))
  under.home.write(
    join(under.home.claudeFolder(), 'cc-deeds', 'subagents', 'agent-a1b2.jsonl'),
    under.home.sample('claude-code/deeds-helper.jsonl'),
  )
  return under
}

function put(under: DeedsHouse, path: string, text: string): void {
  under.home.write(join(under.home.project, path), text)
}

async function ask(under: DeedsHouse, file: string, line: number, endLine?: number) {
  const { value, error } = await under.dialogs.deeds.why(
    under.caller,
    { file, line, endLine },
    noSignal,
  )
  return value ?? error
}

describe('why a line is there', () => {
  it('names the request word for word, and the braces beside its lines', async () => {
    const under = house()
    put(under, 'src/greet.ts', GREET)
    expect(await ask(under, 'src/greet.ts', 1, 3)).toEqual({
      file: 'src/greet.ts',
      line: 1,
      endLine: 3,
      requests: [
        {
          sessionId: 'cc-deeds',
          source: 'claude-code',
          index: 1,
          timestamp: Date.parse('2026-01-15T10:00:00.000Z'),
          request: 'Greet people by name. Add a test for it.',
          lines: [[1, 3]],
          evidence: 'exact',
        },
      ],
      unexplained: [],
    })
  })

  it('gives what a helper wrote to the request of its lead', async () => {
    const under = house()
    put(under, 'docs/greet.md', '# Greeting\n\nGreets a person by their name.\n')
    expect(await ask(under, 'docs/greet.md', 3)).toMatchObject({
      requests: [{ index: 2, request: 'Have a helper write the docs, then commit.' }],
    })
  })

  it('finds lines that were moved to another file', async () => {
    const under = house()
    put(under, 'src/hello.ts', `const a = 1\n${GREET}`)
    expect(await ask(under, 'src/hello.ts', 2)).toMatchObject({
      requests: [{ index: 1, evidence: 'moved' }],
    })
  })

  it('names nobody for what nobody was seen to write', async () => {
    const under = house()
    put(under, 'src/other.ts', 'export const somethingElse = compute(42)\n')
    expect(await ask(under, 'src/other.ts', 1)).toEqual({
      file: 'src/other.ts',
      line: 1,
      endLine: 1,
      requests: [],
      unexplained: [[1, 1]],
    })
    expect(await ask(under, 'src/none.ts', 1)).toBe('File not found: src/none.ts')
    expect(await ask(under, 'src/other.ts', 9)).toBe(
      'Line 9 is past the end of src/other.ts (1 lines)',
    )
  })

  it('refuses a file of more lines than anybody reads, before it is explained', async () => {
    const under = house()
    put(under, 'src/long.ts', 'x\n'.repeat(50_001))
    await expect(ask(under, 'src/long.ts', 1)).rejects.toThrow('too many lines')
  })

  it('says so where no dialog is known at all', async () => {
    const under = deedsHouse()
    put(under, 'src/greet.ts', GREET)
    expect(await ask(under, 'src/greet.ts', 1)).toMatchObject({
      requests: [],
      unexplained: [[1, 1]],
    })
  })

  it('knows nothing of files that are never shown or outside the project', async () => {
    const under = house()
    under.home.write(join(under.home.project, '..', 'outside.ts'), GREET)
    put(under, '.env', 'KEY=1\n')
    symlinkSync(join(under.home.project, '..', 'outside.ts'), join(under.home.project, 'link.ts'))
    for (const file of [
      '../outside.ts',
      join(under.home.project, '..', 'outside.ts'),
      '.env',
      'link.ts',
    ])
      expect(await ask(under, file, 1), file).toBe(`File not found: ${file}`)
  })

  it('does not give a line to a request that came after its commit', async () => {
    const under = house()
    put(under, 'src/greet.ts', GREET)
    const { project } = under.home
    git(project, 'init', '-q')
    git(project, 'add', '.')
    const when = '2026-01-14T10:00:00Z'
    vi.stubEnv('GIT_AUTHOR_DATE', when)
    vi.stubEnv('GIT_COMMITTER_DATE', when)
    onTestFinished(() => void vi.unstubAllEnvs())
    git(project, 'commit', '-qm', 'before')
    expect(await ask(under, 'src/greet.ts', 2)).toMatchObject({
      requests: [],
      unexplained: [[2, 2]],
    })
  })

  it('names nobody for lines that another session committed while their request was at work', async () => {
    const under = house()
    put(under, 'src/greet.ts', GREET)
    const { project } = under.home
    git(project, 'init', '-q')
    git(project, 'add', '.')
    const when = '2026-01-15T10:00:10Z'
    vi.stubEnv('GIT_AUTHOR_DATE', when)
    vi.stubEnv('GIT_COMMITTER_DATE', when)
    onTestFinished(() => void vi.unstubAllEnvs())
    git(project, 'commit', '-qm', 'sweep')
    expect(await ask(under, 'src/greet.ts', 2)).toMatchObject({ requests: [{ index: 1 }] })
    const record = (type: string, content: unknown, at: number) =>
      JSON.stringify({
        ...{ parentUuid: null, isSidechain: false, cwd: project, sessionId: 'cc-other', type },
        ...{ uuid: `o${at}`, timestamp: `2026-01-15T10:00:${10 + at}.000Z` },
        message: { role: type, content },
      })
    const use = { name: 'Bash', input: { command: 'git commit -am sweep' } }
    const output = '[main abcdef1] sweep\n 1 file changed'
    under.home.claude(
      'cc-other.jsonl',
      [
        record('user', 'Commit everything.', -1),
        record('assistant', [{ type: 'tool_use', id: 'o', ...use }], 0),
        record('user', [{ type: 'tool_result', tool_use_id: 'o', content: output }], 1),
        '',
      ].join('\n'),
    )
    under.dialogs.index.invalidate()
    await under.dialogs.ready(under.caller, noSignal)
    expect(await ask(under, 'src/greet.ts', 2)).toMatchObject({
      requests: [],
      unexplained: [[2, 2]],
    })
  })

  it('counts sessions that ran in a worktree of the repository', async () => {
    const under = deedsHouse()
    const { project } = under.home
    put(under, 'README.md', 'Hello\n')
    git(project, 'init', '-q')
    git(project, 'add', '.')
    git(project, 'commit', '-qm', 'first')
    const tree = join(under.home.home, 'tree')
    git(project, 'worktree', 'add', '-q', tree)
    const slug = tree.replace(/[^a-zA-Z0-9-]/g, '-')
    under.home.write(
      under.home.path('.claude', 'projects', slug, 'cc-deeds.jsonl'),
      under.home.sample('claude-code/deeds.jsonl').replaceAll(project, tree),
    )
    mkdirSync(join(project, 'src'), { recursive: true })
    writeFileSync(join(project, 'src', 'greet.ts'), GREET)
    expect(await ask(under, 'src/greet.ts', 2)).toMatchObject({
      requests: [{ sessionId: 'cc-deeds', index: 1 }],
    })
    const page = { everywhere: false, limit: 10, offset: 0 }
    const { value } = await under.dialogs.listDialogs(under.caller, page, noSignal)
    expect(value?.dialogs).toMatchObject([{ sessionId: 'cc-deeds' }])
  })
})
