import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FIRST = 'Greet people by name'
let home: AgentsHome
let claiming: string
const secretary = (project: string, ...args: string[]) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [binary, ...args], {
    env: isolatedEnvironment({ ...home.env, SECRETARY_PROJECT: project }),
    encoding: 'utf8',
    input: '',
  })
  return { said: stdout + stderr, status }
}
const publish = (folder: string) => {
  execFileSync('git', ['init', '--quiet', folder])
  const url = 'git@git.example.com:acme/shop.git'
  execFileSync('git', ['-C', folder, 'remote', 'add', 'origin', url])
}

beforeEach(() => {
  home = new AgentsHome(temporaryFolder())
  publish(home.project)
  home.claude('cc-deeds.jsonl', home.sample('claude-code/deeds.jsonl'))
  claiming = join(temporaryFolder(), 'unpacked')
  mkdirSync(claiming)
})

describe('a folder that claims to be another project', () => {
  it.each([
    ['by its origin', () => publish(claiming)],
    [
      'by a .git file',
      () => writeFileSync(join(claiming, '.git'), `gitdir: ${join(home.project, '.git')}\n`),
    ],
  ])('%s gets none of its dialogs before the person agrees', (_how, claim) => {
    claim()
    for (const command of [['dialogs'], ['recall'], ['recall', '--hook'], ['ledger'], ['today']])
      expect(secretary(claiming, ...command).said, command.join(' ')).not.toContain(FIRST)
    expect(secretary(claiming, 'dialogs').said).toContain(
      `1 dialog of ${home.project} (same origin): \`secretary same-project ${home.project}\``,
    )
    expect(secretary(claiming, 'recall').said).toContain('secretary same-project')
    expect(secretary(claiming, 'same-project').said).toBe(`${home.project}\n`)
    expect(secretary(claiming, 'same-project', home.project)).toMatchObject({ status: 1 })
    expect(secretary(claiming, 'dialogs').said).not.toContain(FIRST)
    expect(secretary(claiming, 'same-project', home.project, '--yes')).toMatchObject({ status: 0 })
    expect(secretary(claiming, 'dialogs').said).toContain(FIRST)
    expect(secretary(claiming, 'same-project', home.project, '--undo')).toMatchObject({ status: 0 })
    expect(secretary(claiming, 'dialogs').said).not.toContain(FIRST)
  })

  it('that is a worktree of the project needs nobody to agree', () => {
    const git = (...args: string[]) =>
      execFileSync('git', [
        '-C',
        home.project,
        '-c',
        'user.name=a',
        '-c',
        'user.email=a@b',
        ...args,
      ])
    git('commit', '--quiet', '--allow-empty', '--message', 'first')
    git('worktree', 'add', '--quiet', join(claiming, 'tree'))
    expect(secretary(join(claiming, 'tree'), 'dialogs').said).toContain(FIRST)
  })
})
