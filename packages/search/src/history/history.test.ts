import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { engineFor, write } from '../../../../test/support/search-engine-house.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { gitLog, headOf } from './history.ts'

function git(folder: string, ...args: string[]): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  execFileSync('git', ['-C', folder, ...who, ...args], { stdio: 'pipe' })
}

function commit(folder: string, subject: string, files: Record<string, string>): void {
  write(folder, files)
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '-m', subject)
}

function repository(): string {
  const folder = temporaryFolder()
  git(folder, 'init', '-q')
  return folder
}

describe('the latest commits of a project', () => {
  it('come newest first, with paths as the project sees them', async () => {
    const folder = repository()
    commit(folder, 'Begin', { 'README.md': '# A\n', 'app/a.ts': 'export const a = 1\n' })
    commit(folder, 'Größe der Tür', { 'app/tür größe.ts': 'export const b = 1\n' })
    expect(await gitLog(folder)).toEqual([
      { subject: 'Größe der Tür', paths: ['app/tür größe.ts'] },
      { subject: 'Begin', paths: ['README.md', 'app/a.ts'] },
    ])
    expect((await gitLog(join(folder, 'app'))).map(({ paths }) => paths)).toEqual([
      ['tür größe.ts'],
      ['a.ts'],
    ])
  })

  it('are none where there is no repository, no commit, or nobody waits any more', async () => {
    const folder = temporaryFolder()
    expect([await headOf(folder), await gitLog(folder)]).toEqual([undefined, []])
    const empty = repository()
    expect([await headOf(empty), await gitLog(empty)]).toEqual([undefined, []])
    commit(empty, 'Begin', { 'a.ts': 'export const a = 1\n' })
    expect(await gitLog(empty, AbortSignal.abort())).toEqual([])
  })

  it('are read without running what the project names for signatures', async () => {
    const folder = repository()
    const { program, trace } = tracedProgram(
      "cat > /dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\necho '-----BEGIN PGP SIGNATURE-----'",
    )
    git(folder, 'config', 'gpg.program', program)
    git(folder, 'config', 'commit.gpgSign', 'true')
    git(folder, 'config', 'log.showSignature', 'true')
    git(folder, 'config', 'core.pager', program)
    commit(folder, 'Signed', { 'a.ts': 'export const a = 1\n' })
    rmSync(trace)
    git(folder, 'config', 'core.fsmonitor', program)
    expect((await gitLog(folder)).map(({ subject }) => subject)).toEqual(['Signed'])
    expect(existsSync(trace)).toBe(false)
  })

  it('are read without fetching what a partial clone lacks', async () => {
    const folder = repository()
    const { program, trace } = tracedProgram('')
    commit(folder, 'Begin', { 'a.ts': 'export const a = 1\n' })
    const tree = execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD^{tree}']).toString().trim()
    rmSync(join(folder, '.git/objects', tree.slice(0, 2), tree.slice(2)))
    for (const [name, value] of [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.url', `ext::${program} %S`],
      ['remote.origin.promisor', 'true'],
      ['protocol.ext.allow', 'always'],
    ] as const)
      git(folder, 'config', name, value)
    expect((await gitLog(folder)).flatMap(({ paths }) => paths)).toEqual([])
    expect(existsSync(trace)).toBe(false)
  })
})

/** A program that leaves a trace when it is run. */
function tracedProgram(script: string): { program: string; trace: string } {
  const folder = temporaryFolder()
  const [program, trace] = [join(folder, 'program'), join(folder, 'trace')]
  writeFileSync(program, `#!/bin/sh\necho ran >> ${trace}\n${script}\n`)
  chmodSync(program, 0o755)
  return { program, trace }
}

describe('a long question', () => {
  const body = (name: string) =>
    `export function ${name}Queue() {\n  return 'jobs of a worker'\n}\n`
  const question =
    'Jobs of a worker are lost\n\nAfter a restart the worker forgets its jobs, the backoff is not honoured.'

  async function ranked(subject: string) {
    const folder = repository()
    commit(folder, 'Begin', { 'src/north.ts': body('north'), 'src/south.ts': body('south') })
    commit(folder, subject, { 'src/south.ts': `${body('south')}// 2\n` })
    const { engine } = await engineFor({ root: folder })
    await engine.index()
    const { results } = await engine.search({ query: question, limit: 10, explain: true })
    return { engine, folder, results }
  }

  it('leads to what earlier commits about the same changed', async () => {
    const { results } = await ranked('Honour the backoff after a restart')
    expect(results[0]?.file).toBe('src/south.ts')
    expect(results[0]?.factors?.commits).toBeGreaterThan(0)
    expect(results[0]?.factors?.recent).toBeGreaterThan(0)
  })

  it('follows new commits, and never names what is not indexed', async () => {
    const { engine, folder } = await ranked('Tidy')
    commit(folder, 'Honour the backoff after a restart', {
      'src/north.ts': `${body('north')}// 2\n`,
      '.env': 'TOKEN=1\n',
    })
    await engine.index()
    const { results } = await engine.search({ query: question, limit: 10, explain: true })
    const commits = new Map(results.map(({ file, factors }) => [file, factors?.commits ?? 0]))
    expect(commits.get('src/north.ts')).toBeGreaterThan(commits.get('src/south.ts') ?? 0)
    expect(results.map(({ file }) => file)).not.toContain('.env')
  })

  it('asks the history nothing for a short one', async () => {
    const { engine } = await ranked('Honour the backoff after a restart')
    const { results } = await engine.search({ query: 'jobs of a worker', explain: true })
    expect(results.some(({ factors }) => factors?.commits || factors?.recent)).toBe(false)
  })
})
