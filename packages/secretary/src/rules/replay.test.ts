import { describe, expect, it } from 'vitest'
import { parseWatchBlock } from '../guide/documents/watch-block.ts'
import { type ReplayedDeed, readyDialog, readyRule, replay } from './replay.ts'

type Act =
  | { edit: string; request?: number }
  | {
      run: string
      exit?: number
      outcome?: 'passed' | 'failed'
      commits?: boolean
      request?: number
    }

/** What an agent did, in this order; `typed` is what the person asked, by request. */
function verdicts(watch: object, acts: readonly Act[], typed: readonly string[] = ['Do it']) {
  const parsed = parseWatchBlock(watch)
  if ('fault' in parsed) throw new Error(parsed.fault)
  const commits = new Set<ReplayedDeed>()
  const deeds = acts.flatMap((act, at): ReplayedDeed[] => {
    const about = { at, place: 0, time: at, position: act.request ?? 1, call: `call-${at}` }
    if ('edit' in act) return [{ ...about, kind: 'change', path: act.edit }]
    const { run, exit = 0, outcome, commits: isCommit } = act
    const runs = outcome ? [{ kind: 'test' as const, command: run, outcome }] : []
    const command = { ...about, kind: 'command' as const, text: run, exit, runs }
    if (!isCommit) return [command]
    const commit = { ...about, place: 1, kind: 'commit' as const, text: 'A commit' }
    commits.add(commit)
    return [command, commit]
  })
  const dialog = { deeds, commits, below: '', typed: (at: number) => typed[at - 1] ?? '' }
  return replay(readyRule(parsed.block), readyDialog(dialog)).map(
    ({ verdict, missing, forbidden }) =>
      verdict === 'kept' ? 'kept' : [...missing, ...forbidden].join(', '),
  )
}

const commit: Act = { run: 'git commit -m "A commit"', commits: true }
const beforeCommit = {
  on: 'commit',
  files: ['**/*.go'],
  require: ['mise run fmt', 'mise run test'],
}

describe('a rule about commits', () => {
  it('is kept if all that it requires ran after the last edit, in one line or in several, piped or not', () => {
    const edit = { edit: 'cmd/main.go' }
    expect(
      verdicts(beforeCommit, [edit, { run: 'mise run fmt && mise run test' }, commit]),
    ).toEqual(['kept'])
    expect(
      verdicts(beforeCommit, [
        edit,
        { run: 'mise run fmt 2>&1 | tail -4' },
        { run: 'cd x && mise run test' },
        commit,
      ]),
    ).toEqual(['kept'])
    const all: Act = { run: 'mise run fmt && mise run test && git commit -m x', commits: true }
    expect(verdicts(beforeCommit, [edit, all])).toEqual(['kept'])
  })

  it('names what did not run, failed, or ran before the last edit', () => {
    const edit = { edit: 'main.go' }
    expect(verdicts(beforeCommit, [edit, { run: 'mise run fmt' }, commit])).toEqual([
      'mise run test',
    ])
    expect(
      verdicts(beforeCommit, [
        edit,
        { run: 'mise run fmt' },
        { run: 'mise run test', exit: 1 },
        commit,
      ]),
    ).toEqual(['mise run test'])
    expect(verdicts(beforeCommit, [{ run: 'mise run fmt; mise run test' }, edit, commit])).toEqual([
      'mise run fmt, mise run test',
    ])
    const late: Act = { run: 'git commit -m x && mise run fmt && mise run test', commits: true }
    expect(verdicts(beforeCommit, [edit, late])).toEqual(['mise run fmt, mise run test'])
  })

  it('goes by what a runner printed rather than by the status of a pipe', () => {
    const piped: Act = { run: 'mise run test', outcome: 'failed' }
    expect(
      verdicts(beforeCommit, [{ edit: 'a.go' }, { run: 'mise run fmt' }, piped, commit]),
    ).toEqual(['mise run test'])
  })

  it('does not apply if no such file was edited since the last commit', () => {
    expect(verdicts(beforeCommit, [{ edit: 'README.md' }, commit])).toEqual([])
    expect(verdicts(beforeCommit, [{ edit: '/elsewhere/a.go' }, commit])).toEqual([])
    expect(verdicts(beforeCommit, [{ edit: 'a.go' }, commit, commit])).toEqual([
      'mise run fmt, mise run test',
    ])
  })

  it('finds forbidden options and files of it', () => {
    const rule = { on: 'commit', forbid: ['git commit --no-verify', 'src/generated/**'] }
    const unverified: Act = { run: 'git commit -nm x', commits: true }
    expect(verdicts(rule, [unverified, commit])).toEqual(['git commit --no-verify', 'kept'])
    expect(verdicts(rule, [{ edit: 'src/generated/a.ts' }, commit])).toEqual(['src/generated/**'])
  })
})

describe('other rules', () => {
  it('forbid commands, whatever stands around them', () => {
    const rule = { on: 'command', forbid: ['git push --force', 'rm -r'] }
    const runs = [
      'git push -fu origin a',
      'git push origin a',
      'cd a && rm -r b',
      'rm a',
      'echo "git push --force"',
    ]
    expect(
      verdicts(
        rule,
        runs.map((run) => ({ run })),
      ),
    ).toEqual(['git push --force', 'kept', 'rm -r', 'kept', 'kept'])
  })

  it('let pass what the person asked for', () => {
    const rule = { on: 'push', forbid: ['git push --force'], unless: { asked: true } }
    const run = 'git push --force origin main'
    expect(verdicts(rule, [{ run }], ['Please do a force push with git'])).toEqual(['kept'])
    expect(verdicts(rule, [{ run }], ['Push it'])).toEqual(['git push --force'])
    expect(verdicts(rule, [{ run }], ['Push it', 'git push --force next time'])).toEqual([
      'git push --force',
    ])
  })

  it('know an edit of a file, the end of a turn and the first edit of a dialog', () => {
    const acts: Act[] = [
      { edit: 'src/generated/a.ts' },
      { edit: 'src/b.ts' },
      { run: 'npm test' },
      { edit: 'src/b.ts', request: 2 },
    ]
    expect(verdicts({ on: 'edit', forbid: ['src/generated/**'] }, acts)).toEqual([
      'src/generated/**',
      'kept',
      'kept',
    ])
    expect(verdicts({ on: 'stop', files: ['*.ts'], require: ['npm test'] }, acts)).toEqual([
      'kept',
      'npm test',
    ])
    expect(verdicts({ on: 'start', require: ['npm install'] }, acts)).toEqual(['npm install'])
  })

  it('take a task for the same however it is started', () => {
    const rule = { on: 'commit', require: ['npm test'] }
    for (const run of ['npm test', 'npm run test -- --bail', 'npm t', 'npm test && npm run lint'])
      expect(verdicts(rule, [{ run }, commit])).toEqual(['kept'])
    for (const run of [
      'npm run test:unit',
      'npm test --workspace api',
      'echo npm test',
      'npm run build',
    ])
      expect(verdicts(rule, [{ run }, commit])).toEqual(['npm test'])
  })
})

describe('a watch block', () => {
  it.each([
    [{ on: 'comit', require: ['npm test'] }, 'watch.on'],
    [{ on: 'commit' }, 'needs `require` or `forbid`'],
    [{ on: 'commit', require: ['npm test'], colour: 'red' }, 'colour'],
    [{ on: 'commit', require: ['npm test | tail'] }, 'watch.require.0: A command is one program'],
    [{ on: 'commit', require: 'npm test' }, 'watch.require'],
    [{ on: 'commit', require: Array(10_000).fill('npm test') }, 'at most 50'],
    [{ on: 'commit', files: ['[['.repeat(90)], require: ['npm test'] }, 'watch.files.0'],
    [{ on: 'edit', forbid: ['../../etc/*'] }, 'stays inside'],
    [{ on: 'edit', forbid: ['git push'] }, 'commands in `forbid`'],
    [{ on: 'command', require: ['npm test'] }, '`require` does not go'],
    [{ on: 'stop', forbid: ['git push'] }, '`forbid` does not go'],
    [{ on: 'commit', require: ['npm test'], unless: { asked: true } }, 'needs `forbid`'],
    [{ on: 'commit', require: ['a\u0000b'] }, 'watch.require.0'],
    ['commit', 'must be a map'],
    [null, 'must be a map'],
  ])('%j is refused with what is wrong with it', (given, fault) => {
    expect(parseWatchBlock(given)).toEqual({ fault: expect.stringContaining(fault) })
  })
})
