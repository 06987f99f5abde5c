import { expect, it } from 'vitest'
import { dialogsUnderTest, noSignal, requestsNow } from '../../../test/support/dialogs-service.ts'

const NAME = '2026-01-16_08-00Z-a-page'

it('reads the pages that a team commits', async () => {
  const under = dialogsUnderTest()
  const { home, dialogs, caller } = under
  home.specstory(NAME)
  await dialogs.ready(caller, noSignal)
  expect(await requestsNow(under, NAME)).toEqual([
    'Write a page for the team.\n\n- with a list\n- и по-русски 🙂',
    'Shorter --- please',
  ])
  const found = await dialogs.require(caller, NAME, noSignal)
  expect(found).toMatchObject({
    source: 'specstory',
    project: home.project,
    title: 'A page for the team (2026-01-16)',
    firstSeen: Date.parse('2026-01-16T08:00:05Z'),
    status: 'completed',
  })
  const answers: unknown[] = []
  for await (const { answer } of dialogs.texts.turns(found)) answers.push(answer)
  expect(answers).toEqual([expect.stringContaining('Here it is.'), 'Done.'])
})
