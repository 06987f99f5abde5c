import { appendFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type DeedsHouse, deedsHouse } from '../../../test/support/deeds-house.ts'
import { line, noSignal } from '../../../test/support/dialogs-service.ts'

async function recalled({ dialogs, caller }: DeedsHouse, budget = 1500) {
  const { value } = await dialogs.recall(caller, { budget }, noSignal)
  return value
}

describe('a recall of words and deeds', () => {
  it('says what was done for each request, how the tests ended and what is open', async () => {
    const house = deedsHouse()
    house.home.claude('cc-deeds.jsonl', house.home.sample('claude-code/deeds.jsonl'))
    const recall = await recalled(house)
    expect(recall?.firstRequest).toMatchObject({
      request: 'Greet people by name. Add a test for it.',
      done: 'changed greet.ts +2 -2, greet.test.ts +6; test passed (npm test)',
    })
    expect(recall?.latestRequests).toMatchObject([
      { index: 2, done: 'committed 1a2b3c4 "feat: greet by name"' },
      { index: 3, done: 'changed notes.md +1; deleted greet.test.ts; interrupted' },
    ])
    expect(recall?.state).toEqual([
      'last test passed (npm test) at request 1',
      'request 3 was interrupted',
    ])
    expect(recall?.files?.join(' ')).toContain('src/{greet.test.ts,greet.ts')
  })

  it('keeps standing wishes word for word, and a bare answer with its question', async () => {
    const house = deedsHouse()
    const path = house.home.claude('a.jsonl', '')
    const about = { cwd: house.home.project, sessionId: 'a' }
    const said = (text: string) =>
      `${JSON.stringify({ ...about, type: 'assistant', message: { content: [{ type: 'text', text }], stop_reason: 'end_turn' } })}\n`
    appendFileSync(path, line('Build it. Never touch the payment form!', about))
    appendFileSync(path, said('I looked around.\nShall I begin with the tests?'))
    appendFileSync(path, line('yes', about))
    appendFileSync(path, said('Done.'))
    appendFileSync(path, line('Всегда пиши тесты', about))
    const recall = await recalled(house)
    expect(recall?.standing).toEqual(['Всегда пиши тесты', 'Never touch the payment form!'])
    expect(recall?.latestRequests).toMatchObject([
      { index: 2, request: 'yes', answers: 'Shall I begin with the tests?' },
      { index: 3 },
    ])
  })

  it('names files that were only spoken of', async () => {
    const house = deedsHouse()
    house.home.claude(
      'a.jsonl',
      line('Look at `src/pay/form.tsx` and docs/pay.md, not at e.g. 3.5', {
        cwd: house.home.project,
      }),
    )
    expect((await recalled(house))?.files).toEqual(['src/pay/form.tsx', 'docs/pay.md'])
  })
})
