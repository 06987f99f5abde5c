import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { keepWorkedDialog } from '../support/worked-dialog.ts'

describe('a report for reviewers', () => {
  let home: AgentsHome
  let env: Record<string, string>
  const run = (program: string, args: readonly string[]) =>
    spawnSync(program, args, { env, cwd: home.project, encoding: 'utf8' })
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = run('git', args)
    expect(status, stderr).toBe(0)
    return stdout.trim()
  }
  const secretary = (...args: string[]) => run(process.execPath, [binary, ...args])
  const commit = (path: string, text: string, subject: string) => {
    home.write(join(home.project, path), text)
    git('add', '.')
    git('commit', '-qm', subject)
    return git('rev-parse', '--short', 'HEAD')
  }

  beforeEach(() => {
    home = new AgentsHome(temporaryFolder())
    const person = {
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@localhost',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@localhost',
    }
    env = isolatedEnvironment({ ...home.env, ...person })
    git('init', '-q', '-b', 'main')
    commit('README.md', 'A shop\n', 'Begin')
    git('switch', '-qc', 'prices')
    const price = 'export const price = 12\nexport const tax = 3\n'
    const sha = commit('src/price.ts', price, 'feat: show prices')
    keepWorkedDialog(
      home,
      'a',
      [
        {
          ask: 'Show prices with # two decimals',
          acts: [
            { write: 'src/price.ts', text: price },
            { run: 'npm test', output: 'Tests: 3 passed, 3 total' },
            {
              run: 'git commit -qam "feat: show prices"; git log -1',
              output: `[prices ${sha}] feat: show prices`,
            },
          ],
          minutesAgo: 0,
        },
      ],
      { lastAt: Date.now() - 60_000 },
    )
    commit('src/by-hand.ts', 'export const mine = true\n', 'By hand')
  })

  it('names the requests behind the branch, their commits and tests, and the lines that nobody asked for', () => {
    const { stdout, stderr, status } = secretary('pr', 'main')
    expect(status, stderr).toBe(0)
    expect(stdout).toContain('1 request for 2 commits since `main`.')
    expect(stdout).toContain('### Show prices with')
    expect(stdout).toMatch(/- commit [\da-f]{7} feat: show prices/)
    expect(stdout).toContain('- changed `src/price.ts`')
    expect(stdout).toContain('- test passed (npm test)')
    expect(stdout).toMatch(/### Commits without a known request\n\n- [\da-f]{7} By hand/)
    expect(stdout).toContain('1 of 3 added lines:\n\n- `src/by-hand.ts`: 1')
    const { requests } = JSON.parse(secretary('pr', 'main', '--json').stdout)
    expect(requests).toMatchObject([{ sessionId: 'a', index: 1, state: 'committed' }])
  })

  it('writes the same as notes of the commits, and no word of the transcript', () => {
    expect(secretary('pr', 'main', '--notes').status).toBe(0)
    expect(secretary('pr', 'main', '--notes').status).toBe(0)
    const notes = git('log', '--notes=secretary', '--format=%N', 'main..HEAD')
    expect(notes.match(/### Show prices/g)).toHaveLength(1)
    expect(notes).not.toContain('export const')
  })

  it('says which base is missing', () => {
    for (const base of ['nowhere', '--upload-pack=x', 'a..b']) {
      const { status, stderr } = secretary('pr', '--', base)
      expect([base, status]).toEqual([base, 1])
      expect(stderr).toContain('Git knows no such branch or commit here')
    }
    expect(secretary('pr').stdout).toContain('since `main`')
  })
})
