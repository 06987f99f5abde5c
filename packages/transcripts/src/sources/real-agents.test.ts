import { describe, expect, it } from 'vitest'
import { requests } from '../../../../test/agents/requests.ts'
import { deedsHouse } from '../../../../test/support/deeds-house.ts'
import { noSignal, requestsNow } from '../../../../test/support/dialogs-service.ts'
import type { SourceName } from '../source-names.ts'

const READ = 'read src/greet.js'
const CHANGED = 'change src/greet.js +1 -1'
const PASSED = 'command [test] npm test → 0'
const failed = (lastLine: string) => `command [test] npm test → 1 | ${lastLine}`
const FAILED = failed('1 failed: the greeting is too short')
const WRITTEN = 'create docs/greet.md +1 -0'

/** What each agent did and wrote while it was driven by `test/agents`; its own files, with neutral paths. */
const agents: Readonly<Partial<Record<SourceName, readonly string[]>>> = {
  'claude-code': [FAILED, READ, CHANGED, PASSED, 'helper Write the docs', `helper: ${WRITTEN}`],
  codex: [FAILED, CHANGED, PASSED, 'helper Write docs/greet.md', `helper: ${WRITTEN}`],
  'gemini-cli': [
    failed('</untrusted_context>'),
    CHANGED,
    PASSED,
    `helper: ${WRITTEN}`,
    'helper Write docs/greet.md | }',
  ],
  'copilot-cli': [
    failed('<shellId: 0 completed with exit code 1>'),
    CHANGED,
    PASSED,
    'helper Write the docs',
    WRITTEN,
  ],
  opencode: [FAILED, READ, CHANGED, PASSED, 'helper Write the docs | </task>', WRITTEN],
  'qwen-code': [
    failed('Process Group PGID: (none)'),
    READ,
    CHANGED,
    PASSED,
    'helper Write the docs',
    `helper: ${WRITTEN}`,
  ],
  kilo: [FAILED, READ, CHANGED, PASSED, 'helper Write the docs | </task>', WRITTEN],
  // It does not keep how a command ended.
  continue: ['command [test] npm test', READ, CHANGED, 'command [test] npm test'],
  pi: [failed('Command exited with code 1'), CHANGED, PASSED],
  droid: [
    failed('[Process exited with code 1]'),
    READ,
    CHANGED,
    PASSED,
    'helper Write the docs | Error: Error running task subagent: Could not reach the daemon. It may still be starting.',
  ],
  kimi: [
    failed('Command failed with exit code: 1.'),
    READ,
    CHANGED,
    PASSED,
    'helper Write the docs',
    `helper: ${WRITTEN}`,
  ],
}

async function readSample(agent: string) {
  const house = deedsHouse()
  house.home.real(agent)
  await house.dialogs.ready(house.caller, noSignal)
  const { dialogs } = await house.dialogs.store.list({ asked: true, limit: 10, offset: 0 })
  expect(dialogs.map(({ source, project }) => ({ source, project }))).toEqual([
    { source: agent, project: house.home.project },
  ])
  const sessionId = dialogs[0]?.sessionId ?? ''
  expect(await house.changesWithoutDiff(sessionId)).toEqual([])
  return {
    asked: await requestsNow(house, sessionId),
    done: (await house.deedsOf(sessionId)).filter((deed) => !deed.includes('apply_patch')),
    tests: (await house.deeds.find({ sessionId, limit: 1000 }))
      .reverse()
      .flatMap(({ runs = [] }) => runs.filter(({ kind }) => kind === 'test'))
      .map(({ outcome = 'unknown' }) => outcome),
  }
}

describe('what the real agents wrote', () => {
  it.each(Object.entries(agents))('tells requests and deeds: %s', async (agent, deeds) => {
    const { asked, done, tests } = await readSample(agent)
    expect(asked).toEqual(requests)
    expect(done).toEqual(deeds)
    expect(tests).toEqual(agent === 'continue' ? ['unknown', 'unknown'] : ['failed', 'passed'])
  })

  it('tells requests and deeds: cline-cli', async () => {
    const { asked, done } = await readSample('cline-cli')
    expect(asked).toEqual(['do it'])
    expect(done).toEqual([
      'command [other] sh -c "echo bad; exit 3" → 3 | bad',
      'change check.mjs +1 -1',
      'helper Write docs/x.md',
      'helper: create docs/x.md +1 -0',
    ])
  })
})
