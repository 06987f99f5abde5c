import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'

const env = () => isolatedEnvironment({ SECRETARY_LOG_LEVEL: 'debug' })

describe('I11 an answer that was foreseen', () => {
  it.each([
    ['complete_task', { task_id: 9 }, 'not_found: Task not found'],
    ['read_file', { path: 'missing.ts' }, 'not_found: File not found'],
    ['guide_get_content', { expression: 'nowhere' }, 'not_found: '],
    ['copilot_chat_secretary_get_request', { index: 1 }, 'not_found: No active dialog found'],
    ['add_task', {}, 'validation_error: title is required'],
  ])('is logged at debug by %s, never at error', (tool, args, said) => {
    const { stderr } = spawnSync(process.execPath, [binary, 'call', tool, JSON.stringify(args)], {
      env: env(),
      encoding: 'utf8',
    })
    const lines = stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { level: string; msg: string })
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'debug',
        msg: expect.stringContaining(`Tool ${tool} answered ${said}`),
      }),
    )
    expect(lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  })
})
