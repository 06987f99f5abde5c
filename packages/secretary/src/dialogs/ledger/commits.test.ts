import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GitAct } from '@secretary-mcp/transcripts/deeds/deed.ts'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import type { PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import { commitsOf } from './commits.ts'

/** A repository with a commit on its branch and one on another. */
function repository() {
  const folder = temporaryFolder()
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString()
  const commit = (path: string, subject: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), 'one\n')
    git('add', '-A')
    git('commit', '-qm', subject)
    return git('rev-parse', '--short', 'HEAD').trim()
  }
  git('init', '-q', '-b', 'main')
  const first = commit('src/greet.ts', 'feat: greet')
  git('checkout', '-qb', 'other')
  const second = commit('b.ts', 'feat: other')
  git('checkout', '-q', 'main')
  return { folder, first, second }
}

function committed(sha: string, act: Partial<GitAct> = {}): PlacedDeed {
  return {
    id: 0,
    key: '',
    sessionId: 'one',
    source: 'claude-code',
    isHelper: false,
    position: 1,
    kind: 'commit',
    at: 0,
    place: 0,
    time: 0,
    text: 'as typed',
    tail: sha,
    git: [{ act: 'commit', folder: '', ...act }],
  }
}

describe('the commits of a dialog', () => {
  it('hold what git says, on the branch that git says', async () => {
    const { folder, first, second } = repository()
    const commits = await commitsOf([committed(first), committed(second)], folder)
    expect(commits.map(({ subject, onCurrentBranch }) => [subject, onCurrentBranch])).toEqual([
      ['feat: greet', true],
      ['feat: other', false],
    ])
    expect(commits.map(({ holds }) => holds('src/greet.ts', false))).toEqual([true, false])
    const [below] = await commitsOf([committed(first)], join(folder, 'src'))
    expect(below?.holds('greet.ts', false)).toBe(true)
  })

  it('are those of this repository, wherever they were made', async () => {
    const { folder, first } = repository()
    const elsewhere = { folder: '/tmp/scratch', paths: ['src/greet.ts'] }
    const made = [committed(first, elsewhere), committed('abcdef1', elsewhere)]
    expect((await commitsOf(made, folder)).map(({ sha }) => sha)).toEqual([first])
  })

  it('are known by their output where git does not know them', async () => {
    const { folder } = repository()
    const [gone] = await commitsOf([committed('abcdef1', { paths: ['c.ts'] })], folder)
    expect([gone?.holds('c.ts', true), gone?.holds('d.ts', true), gone?.onCurrentBranch]).toEqual([
      true,
      false,
      undefined,
    ])
  })

  it('are found by subject and time where no hash was printed, or another one after a rebase', async () => {
    const { folder, first } = repository()
    const now = { time: Date.now(), text: 'feat: greet' }
    const quiet = { ...committed('', { isUnproven: true }), ...now }
    const rebased = { ...committed('abcdef1'), ...now }
    const found = await commitsOf([quiet, rebased], folder)
    expect(
      found.map(({ sha = '', holds }) => [sha.startsWith(first), holds('b.ts', false)]),
    ).toEqual([
      [true, false],
      [true, false],
    ])
    const others = [
      { ...quiet, text: 'feat: another' },
      { ...quiet, time: now.time - 3_600_000 },
    ]
    expect(await commitsOf(others, folder)).toEqual([])
    expect(await commitsOf([quiet], '/nowhere/at/all')).toEqual([])
  })

  it('are not proven by a name that was blanked out', async () => {
    const act = { paths: ['.REDACTED.md', 'a.md'] }
    const [one] = await commitsOf([committed('abcdef1', act)], '/nowhere/at/all')
    expect([one?.holds('.REDACTED.md', true), one?.holds('a.md', true)]).toEqual([false, true])
  })
})
