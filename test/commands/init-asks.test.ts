import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
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
    mkdirSync(inHome('.qwen'))
    const shown = await initWith('y', 'n', 'y')
    expect(shown).toContain(`Cursor: ${inHome('.cursor', 'mcp.json')} would change`)
    const gemini = inHome('.gemini', 'settings.json')
    expect(shown).toContain(`Gemini CLI; Gemini CLI, recall after a compaction: ${gemini} would`)
    expect(shown).not.toContain('Codex')
    expect(readFileSync(inHome('.cursor', 'mcp.json'), 'utf8')).toContain(binary)
    expect(existsSync(gemini)).toBe(false)
    const qwen = readFileSync(inHome('.qwen', 'settings.json'), 'utf8')
    expect(qwen).toContain('"secretary"')
    expect(qwen).toContain('recall --hook')
    expect(readdirSync(inProject())).toEqual([])
    expect(shown).toMatch(/Undo: .*init --undo/)
  })

  it('writes nothing when nothing is agreed to', async () => {
    mkdirSync(inHome('.cursor'))
    const shown = await initWith('')
    expect(shown).toContain('Nothing was written.')
    expect(readdirSync(inHome('.cursor'))).toEqual([])
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
    for (const option of ['--client', '--dry-run', '--yes', '--shared', '--undo'])
      expect(shown).toContain(option)
    expect(shown).toContain(clients.map(({ id }) => id).join(', '))
  })
})
