import { utimesSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dialogsUnderTest, line, noSignal } from '../../../../test/support/dialogs-service.ts'

const restored = new Date('2026-10-01')
const json = (value: object) => `${JSON.stringify(value)}\n`

describe('the times of a dialog', () => {
  it('are those of its records, from every source, whatever the files say', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    home.everything()
    for (const path of [
      home.claude(),
      home.codex(),
      home.gemini('session.json'),
      home.gemini('session.jsonl'),
      home.copilotCli(),
      home.cline(),
      home.vscode('log.jsonl', 'vs-log.jsonl'),
      home.vscode('v3.json', 'vs-v3.json'),
      home.codex(
        'older.jsonl',
        'rollout-2025-05-01T08-00-00-0188bbbb-1111-7222-8333-444455556666.jsonl',
      ),
    ])
      utimesSync(path, restored, restored)
    const times = new Map(
      (await dialogs.ofProject(caller, noSignal)).map(({ sessionId, firstSeen, lastSeen }) => [
        sessionId,
        [firstSeen, lastSeen].map((time) => new Date(time).toISOString().slice(0, 19)),
      ]),
    )
    expect(Object.fromEntries(times)).toMatchObject({
      'cc-main': ['2026-01-15T10:00:00', '2026-01-15T10:09:50'],
      '0199aaaa-1111-7222-8333-444455556666': ['2026-01-16T08:00:00', '2026-01-16T08:02:00'],
      '0188bbbb-1111-7222-8333-444455556666': ['2025-05-01T08:00:00', '2025-05-01T08:00:00'],
      'gem-json': ['2026-01-17T09:00:00', '2026-01-17T09:10:00'],
      'gem-jsonl': ['2026-01-18T09:00:00', '2026-01-18T09:03:00'],
      'copilot-cli-1': ['2026-01-19T07:00:00', '2026-01-19T07:02:00'],
      '1768800000000': ['2026-01-19T05:20:00', '2026-01-19T05:20:05'],
      'vs-log': ['2026-01-15T12:26:40', '2026-01-15T12:27:10'],
      'vs-v3': ['2026-01-15T09:40:00', '2026-01-15T09:48:20'],
    })
  })

  it('decide which is the newest', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    const said = (timestamp: string) => line(timestamp, { cwd: home.project, timestamp })
    const newer = home.claude('newer.jsonl', said('2026-02-02T00:00:00.000Z'))
    home.claude('older.jsonl', said('2026-02-01T00:00:00.000Z'))
    utimesSync(newer, new Date('2020-01-01'), new Date('2020-01-01'))
    const { value } = await dialogs.getFirstRequest(caller, undefined, noSignal)
    expect(value?.sessionId).toBe('newer')
  })

  it('go on with records that hold no request', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    const result = { type: 'tool_result', tool_use_id: 't', content: 'x' }
    home.claude(
      'a.jsonl',
      [
        line('one', { cwd: home.project, timestamp: '2026-02-01T10:00:00.000Z' }),
        json({
          type: 'user',
          message: { content: [result] },
          timestamp: '2026-02-01T10:07:00.000Z',
        }),
        json({ type: 'last-prompt', lastPrompt: 'one' }),
      ].join(''),
    )
    const [dialog] = await dialogs.ofProject(caller, noSignal)
    expect(dialog?.lastSeen).toBe(Date.parse('2026-02-01T10:07:00.000Z'))
  })
})
