import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clients } from '@secretary-mcp/secretary/cli/clients/clients.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'
import { typeAnswers } from '../support/type-answers.ts'

let env: Record<string, string>
const inProject = (...parts: string[]) => join(env.SECRETARY_PROJECT ?? '', ...parts)
const inHome = (...parts: string[]) => join(env.HOME ?? '', ...parts)

beforeEach(() => {
  env = isolatedEnvironment({ TERM: 'xterm' })
})

const initWith = (...answers: string[]) =>
  typeAnswers(
    `"${process.execPath}" "${binary}" init`,
    { env, cwd: env.SECRETARY_PROJECT ?? '' },
    answers,
  )

describe('secretary init in a terminal', () => {
  it('finds the agents on this machine, shows each change and writes what is agreed to', async () => {
    mkdirSync(inHome('.cursor'))
    mkdirSync(inHome('.gemini'))
    const shown = await initWith('y', 'n', 'y')
    expect(shown).toContain(
      `Cursor (this project): ${inProject('.cursor', 'mcp.json')} would change`,
    )
    expect(shown).toContain(`Gemini CLI: ${inHome('.gemini', 'settings.json')} would change`)
    expect(shown).not.toContain('Codex')
    expect(readFileSync(inProject('.cursor', 'mcp.json'), 'utf8')).toContain('"secretary"')
    expect(existsSync(inHome('.gemini', 'settings.json'))).toBe(false)
    expect(readFileSync(inProject('.gemini', 'settings.json'), 'utf8')).toContain('recall --hook')
    expect(shown).toContain('`secretary init --undo` takes it back.')
  })

  it('writes nothing when nothing is agreed to', async () => {
    mkdirSync(inHome('.cursor'))
    const shown = await initWith('')
    expect(shown).toContain('Nothing was written.')
    expect(existsSync(inProject('.cursor'))).toBe(false)
  })

  it('says which agents it knows where it finds none', async () => {
    expect(await initWith()).toContain(
      'No known agent was found. Name one with --client: claude-code',
    )
  })

  it('shows its help, with every agent that it knows', () => {
    const { stdout, status } = spawnSync(process.execPath, [binary, 'init', '--help'], {
      env,
      encoding: 'utf8',
    })
    expect(status).toBe(0)
    const shown = stdout.replace(/\s+/g, ' ')
    for (const option of ['--client', '--yes', '--undo']) expect(shown).toContain(option)
    expect(shown).toContain(clients.map(({ id }) => id).join(', '))
  })
})
