import { spawnSync } from 'node:child_process'
import { type Field, fields } from '@secretary-mcp/core/config/fields.ts'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'

const run = (...args: string[]) =>
  spawnSync(process.execPath, [binary, ...args], { env: isolatedEnvironment(), encoding: 'utf8' })

describe('the help text', () => {
  it('describes every command in the same form, and the version without any', () => {
    for (const group of [[], ['tasks'], ['dialogs'], ['team'], ['guide'], ['token'], ['sync']]) {
      const help = run(...group, '--help').stdout
      const [, listed = ''] = help.split(group.length > 0 ? '\nCommands:\n' : '\nSet up:\n')
      const lines = [...listed.matchAll(/^ {2}[a-z][^\n]*? {2,}(\S[^\n]*)$/gm)].map(
        ([, text]) => text,
      )
      expect(lines.length, group.join()).toBeGreaterThan(1)
      if (group.length > 0) expect(help).not.toContain('Set up:')
      expect(lines.filter((text) => /^[A-Z](?!CP)/.test(text ?? ''))).toEqual([])
    }
    expect(run('--version').stdout).toBe(`${manifest.version}\n`)
  })

  it('lists every command in a group, and every setting in the help of `config`', () => {
    const { stdout } = run('--help')
    expect(stdout.match(/^\S.+:$/gm)).toEqual([
      ...['Options:', 'Set up:', 'Work with your agents:', 'Search and read:', 'Rules and tasks:'],
      ...['Serve:', 'Tools:', 'Teams and machines:', 'Examples:', 'Exit codes:'],
    ])
    expect(run('help', 'tasks').stdout).toBe(run('tasks', '--help').stdout)
    const settings = run('config', '--help').stdout
    for (const { flag } of Object.values<Field>(fields))
      if (flag) expect(settings).toContain(`--${flag}`)
  })
})
