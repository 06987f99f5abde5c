import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deedsHouse } from '../../../../test/support/deeds-house.ts'
import {
  dialogsUnderTest,
  noSignal,
  requestsNow,
} from '../../../../test/support/dialogs-service.ts'

const json = (value: object) => `${JSON.stringify(value)}\n`
const header = json({ sessionId: 'a', startTime: '2026-06-01T08:00:00.000Z', kind: 'main' })
let ids = 0
const said = (type: string, ...texts: string[]) => ({
  id: `m${ids++}`,
  timestamp: '2026-06-01T08:00:01.000Z',
  type,
  content: texts.map((text) => ({ text })),
})
const typed = (...texts: string[]) => json(said('user', ...texts))
const SHELL =
  'I ran the following shell command:\n```sh\nls\n```\n\nThis produced the following result:\n```\na\n```'

async function requestsIn(...lines: string[]): Promise<unknown[]> {
  const under = dialogsUnderTest()
  under.home.write(
    join(under.home.path('.gemini', 'tmp', 'p', 'chats'), 'session-1.jsonl'),
    lines.join(''),
  )
  return requestsNow(under, 'a')
}

describe('D12 what was typed in Gemini CLI', () => {
  it('counts once, though a compression tells it again, merged and beside a summary', async () => {
    expect(
      await requestsIn(
        header,
        typed('First'),
        typed('Second'),
        typed('Third'),
        json({
          $set: {
            messages: [
              said('user', 'We talked of two things.'),
              said('gemini', 'Got it. Thanks for the additional context!'),
              said('user', 'Second', 'Third'),
              said('gemini', 'Done.'),
              said('user', 'Third'),
            ],
          },
        }),
        typed('Third'),
      ),
    ).toEqual(['First', 'Second', 'Third', 'Third'])
  })

  it('counts where a file begins with what was asked before', async () => {
    expect(
      await requestsIn(
        header,
        json({
          $set: { messages: [said('user', 'First, ', 'as always'), said('user', 'Second')] },
        }),
        typed('Third'),
      ),
    ).toEqual(['First, as always', 'Second', 'Third'])
  })

  it('is not the output of a shell, what a hook adds, or the files it names', async () => {
    expect(
      await requestsIn(
        header,
        typed(SHELL),
        typed('Sort it', '\n<hook_context>Be brief</hook_context>'),
        typed('Now by name\n\n<hook_context>Be brief</hook_context>'),
        typed(
          'Explain @a.ts',
          '\n--- Content from referenced files ---',
          '\nContent from @a.ts:\n',
          'x',
        ),
      ),
    ).toEqual(['Sort it', 'Now by name', 'Explain @a.ts'])
  })

  it('is found by its id, though resuming left a second file with it', async () => {
    const under = dialogsUnderTest()
    const chats = under.home.path('.gemini', 'tmp', 'p', 'chats')
    under.home.write(join(chats, 'session-1.jsonl'), header + typed('First'))
    under.home.write(join(chats, 'session-2.jsonl'), header)
    expect(await requestsNow(under, 'a')).toEqual(['First'])
  })
})

describe('what a helper of Gemini CLI did', () => {
  it('was done for the request that sent it, also where the person typed another meanwhile', async () => {
    const house = deedsHouse()
    const chats = house.home.path('.gemini', 'tmp', 'p', 'chats')
    const at = (second: number) => `2026-06-01T08:00:0${second}.000Z`
    const asked = (second: number, text: string) =>
      json({ ...said('user', text), timestamp: at(second) })
    house.home.write(
      join(chats, 'session-1.jsonl'),
      [header, asked(1, 'Write the docs'), asked(4, 'And be quick')].join(''),
    )
    const file_path = join(house.home.project, 'docs', 'a.md')
    const call = { id: 'c', name: 'write_file', args: { file_path, content: 'A\n' } }
    house.home.write(
      join(chats, 'a', 'helper.jsonl'),
      [
        { sessionId: 'helper', kind: 'subagent', startTime: at(2) },
        { id: 'h1', type: 'user', timestamp: at(2), content: [{ text: 'Write docs/a.md' }] },
        { id: 'h2', type: 'gemini', timestamp: at(6), toolCalls: [{ ...call, status: 'success' }] },
      ]
        .map(json)
        .join(''),
    )
    expect(await requestsNow(house, 'a')).toEqual(['Write the docs', 'And be quick'])
    const asks = { sessionId: 'a', limit: 10, offset: 0 }
    const { value } = await house.dialogs.deeds.ledger(house.caller, asks, noSignal)
    expect(value?.entries.map(({ request, files }) => [request, files.length])).toEqual([
      ['Write the docs', 1],
      ['And be quick', 0],
    ])
  })
})

describe('what was done in Gemini CLI', () => {
  it('was interrupted where the program says so, not where the person does', async () => {
    const house = deedsHouse()
    const cancelled = 'Request cancelled.'
    house.home.write(
      join(house.home.path('.gemini', 'tmp', 'p', 'chats'), 'session-1.jsonl'),
      [
        header,
        typed(cancelled),
        json({ ...said('info'), content: 'Something else.' }),
        json({ ...said('info'), content: cancelled }),
      ].join(''),
    )
    expect(await house.deedsOf('a')).toEqual(['interrupt'])
  })
})
