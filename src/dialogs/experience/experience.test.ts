import { describe, expect, it } from 'vitest'
import { deedsHouse } from '../../../test/support/deeds-house.ts'
import { noSignal } from '../../../test/support/dialogs-service.ts'
import { plainCommand } from './plain-command.ts'

function house() {
  const under = deedsHouse()
  under.home.claude('cc-deeds.jsonl', under.home.sample('claude-code/deeds.jsonl'))
  return under
}

describe('experience from commands', () => {
  it.each([
    ['cd /a/b && npm test 2>&1 | tail -20', 'npm test'],
    ['cd "a b"; cd c && bun run lint | grep error | head -5', 'bun run lint'],
    ['npm run build > /dev/null 2>&1', 'npm run build'],
    ['git log | cat && ls', 'git log | cat && ls'],
  ])('takes %s as %s', (command, plain) => {
    expect(plainCommand(command)).toBe(plain)
  })

  it('tells how the tests are run, with how often they passed and failed', async () => {
    const { dialogs, caller } = house()
    const { value } = await dialogs.deeds.how(caller, 'run the tests', noSignal)
    expect(value?.commands).toMatchObject([
      { command: 'npm test', kind: 'test', passed: 1, failed: 1, sessionId: 'cc-deeds' },
    ])
    const { value: same } = await dialogs.deeds.how(caller, 'test', noSignal)
    expect(same?.commands).toEqual(value?.commands)
    const { value: nothing } = await dialogs.deeds.how(caller, 'deploy to the moon', noSignal)
    expect(nothing?.commands).toEqual([])
  })

  it('tells what was done after the same error, and nothing of one that nobody met', async () => {
    const { dialogs, caller } = house()
    const error = 'ReferenceError: it is not defined at src/other.test.ts:12'
    const { value } = await dialogs.deeds.fix(caller, error, noSignal)
    expect(value?.fixes).toMatchObject([
      {
        index: 1,
        request: 'Greet people by name. Add a test for it.',
        command: 'npm test',
        done: 'changed greet.test.ts +1',
        files: ['src/greet.test.ts'],
      },
    ])
    const { value: none } = await dialogs.deeds.fix(
      caller,
      'segmentation fault in libfoo',
      noSignal,
    )
    expect(none?.fixes).toEqual([])
  })
})
