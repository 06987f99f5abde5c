import { describe, expect, it } from 'vitest'
import type { AgentsHome } from '../../../../test/support/agents-home.ts'
import { deedsHouse } from '../../../../test/support/deeds-house.ts'

const HELPER_ID = '0199eeee-1111-7222-8333-444455556666'
const GREET = 'change src/greet.ts +1 -1'
const TEST = 'create src/greet.test.ts +1 -0'
const RUNS = [
  'command [test] npm test → 1 | 1 failed',
  'command [test] npm test -- --globals → 0',
] as const

interface Sample {
  readonly agent: string
  readonly session: string
  readonly put: (home: AgentsHome) => void
  readonly deeds: readonly string[]
}

const samples: readonly Sample[] = [
  {
    agent: 'Codex',
    session: '0199dddd-1111-7222-8333-444455556666',
    put(home) {
      home.codex(
        'deeds.jsonl',
        'rollout-2026-02-01T08-00-00-0199dddd-1111-7222-8333-444455556666.jsonl',
      )
      home.codex('deeds-helper.jsonl', `rollout-2026-02-01T08-00-15-${HELPER_ID}.jsonl`)
    },
    deeds: [
      "command [other] sed -n '1,40p' src/greet.ts → 0",
      'read src/greet.ts',
      GREET,
      TEST,
      'command [test] npm test → 1 | 1 failed: it is not defined',
      RUNS[1],
      'helper Write docs/greet.md',
      'helper: create docs/greet.md +1 -0',
      'interrupt',
    ],
  },
  {
    agent: 'Copilot CLI',
    session: 'copilot-deeds',
    put: (home) => home.copilotCli('deeds.jsonl', 'copilot-deeds'),
    deeds: [
      'read src/greet.ts',
      GREET,
      TEST,
      'command [test] npm test → 1 | <exited with exit code 1>',
      RUNS[1],
      'helper Write the docs',
      'question Push it? | User selected: No',
      'interrupt',
    ],
  },
  ...(['deeds.jsonl', 'deeds.json'] as const).map((sample) => ({
    agent: `Gemini CLI, ${sample}`,
    session: sample === 'deeds.json' ? 'gem-deeds-doc' : 'gem-deeds',
    put: (home: AgentsHome) => void home.gemini(sample),
    deeds: [
      'read src/greet.ts',
      GREET,
      TEST,
      'command [test] npm test → 1 | Exit Code: 1',
      RUNS[1],
      'helper Write the docs | Done',
    ],
  })),
  {
    agent: 'opencode',
    session: 'oc-deeds',
    put: (home) => home.opencode('deeds.json'),
    deeds: [
      'read src/greet.ts',
      GREET,
      TEST,
      ...RUNS,
      'helper Write the docs',
      'create docs/greet.md +1 -0',
    ],
  },
  {
    agent: 'Cursor',
    session: 'cur-deeds',
    put: (home) => home.cursor('deeds.json'),
    deeds: [
      'read src/greet.ts',
      GREET,
      TEST,
      ...RUNS,
      'helper Write the docs',
      'helper: create docs/greet.md +1 -0',
    ],
  },
  {
    agent: 'Cline',
    session: '1768800000000',
    put: (home) => home.cline('deeds.json'),
    deeds: [
      'read src/greet.ts',
      GREET,
      TEST,
      'command [test] npm test → 1 | Command exited with code 1',
      RUNS[1],
      'helper Write the docs',
      'question Push it?',
    ],
  },
  {
    agent: 'VS Code',
    session: 'vs-deeds',
    put: (home) => home.vscode('deeds.jsonl', 'vs-deeds.jsonl'),
    deeds: ['read src/greet.ts', 'change src/greet.ts +1 -0', ...RUNS, 'helper Write the docs'],
  },
]

describe('deeds of the other agents', () => {
  it.each(samples)('are read from $agent', async ({ session, put, deeds }) => {
    const house = deedsHouse()
    put(house.home)
    expect(await house.deedsOf(session)).toEqual(deeds)
    expect(await house.changesWithoutDiff(session)).toEqual([])
  })
})
