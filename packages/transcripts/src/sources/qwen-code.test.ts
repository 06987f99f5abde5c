import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deedsHouse } from '../../../../test/support/deeds-house.ts'
import { requestsNow } from '../../../../test/support/dialogs-service.ts'

const said = (text: string, more: object = {}) => ({
  type: 'user',
  provenance: 'real_user',
  message: { parts: [{ text }] },
  ...more,
})

function houseWith(...records: object[]) {
  const house = deedsHouse()
  const about = { sessionId: 'a', cwd: house.home.project, timestamp: '2026-06-01T08:00:00.000Z' }
  house.home.write(
    join(house.home.path('.qwen', 'projects', 'p', 'chats'), 'a.jsonl'),
    records.map((record) => `${JSON.stringify({ ...about, ...record })}\n`).join(''),
  )
  return house
}

describe('D12 what was typed in Qwen Code', () => {
  it('counts when it is typed while a tool runs; what the program says does not', async () => {
    const house = houseWith(
      said('First'),
      said('And quickly', { subtype: 'mid_turn_user_message' }),
      said('A task has ended', { subtype: 'background_task_completed' }),
      said('A reminder', { provenance: 'system' }),
    )
    expect(await requestsNow(house, 'a')).toEqual(['First', 'And quickly'])
  })
})

describe('what was done in Qwen Code', () => {
  it('was interrupted where the person cancelled the command', async () => {
    const house = houseWith(
      said('Sleep'),
      {
        type: 'assistant',
        message: {
          parts: [
            { functionCall: { id: 'c', name: 'run_shell_command', args: { command: 'sleep 9' } } },
          ],
        },
      },
      {
        type: 'tool_result',
        message: {
          parts: [{ functionResponse: { response: { error: '[Operation Cancelled]' } } }],
        },
        toolCallResult: { callId: 'c', status: 'cancelled' },
      },
    )
    expect(await house.deedsOf('a')).toEqual([
      'command [other] sleep 9 | [Operation Cancelled]',
      'interrupt',
    ])
  })
})
