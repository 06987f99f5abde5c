import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deedsHouse } from '../../../../../test/support/deeds-house.ts'
import { noSignal } from '../../../../../test/support/dialogs-service.ts'

function house() {
  const under = deedsHouse()
  under.home.claude('cc-deeds.jsonl', under.home.sample('claude-code/deeds.jsonl'))
  return under
}

describe('experience from commands', () => {
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
        changes: [{ path: 'src/greet.test.ts', diff: expect.stringMatching(/^\+/) }],
      },
    ])
    const { value: none } = await dialogs.deeds.fix(
      caller,
      'segmentation fault in libfoo',
      noSignal,
    )
    expect(none?.fixes).toEqual([])
    const near = 'ReferenceError: that is not defined'
    expect((await dialogs.deeds.fix(caller, near, noSignal)).value?.fixes).toEqual([])
  })

  it('knows the tasks of the project by name, and says nothing instead of a near miss', async () => {
    const { dialogs, caller, home } = house()
    home.write(join(home.project, 'mise.toml'), '[tasks."test:ci"]\nrun = "go test ./..."\n')
    const commands = async (what: string) =>
      (await dialogs.deeds.how(caller, what, noSignal)).value?.commands.map(
        ({ command }) => command,
      )
    expect(await commands('test:ci')).toEqual(['mise run test:ci'])
    expect(await commands('run the tests')).toEqual(['npm test', 'mise run test:ci'])
    expect(await commands('run the e2e tests')).toEqual([])
    expect(await commands('run the database')).toEqual([])
    const scripts = {
      'lint:fix': 'eslint --fix .',
      format: 'prettier --write .',
      first: 'npm run clean && npm run start',
      start: 'node dist/main.js',
      dev: 'node src/server.js --watch',
    }
    home.write(join(home.project, 'package.json'), JSON.stringify({ scripts }))
    expect(await commands('format the code')).toEqual(['npm run format'])
    expect(await commands('start the server')).toEqual(['npm run start', 'npm run first'])
    expect(await commands('start the tests')).toEqual(['npm test', 'mise run test:ci'])
    expect(await commands('start the database')).toEqual([])
    expect(await commands('lint')).toEqual(['npm run lint:fix'])
  })
})
