import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SourceName } from '../../src/dialogs/dialog.ts'
import { AgentHouse } from './agent-house.ts'
import { programOf } from './install-agents.mjs'
import type { Answer } from './model/answer.ts'
import proofs from './proofs.json' with { type: 'json' }
import { requests } from './requests.ts'

export interface RealAgent {
  readonly id: string
  readonly source: SourceName
  /** What the model's address and a dummy key are called here, and how first questions are answered. */
  settings?(house: AgentHouse): void
  env?(house: AgentHouse): Record<string, string>
  /** How one request is put; the later ones go on with the dialog. */
  args(request: string, isFirst: boolean, sessionId: string): string[]
  /** Where the request is fed in instead. */
  input?(request: string): string
  readonly edit: (file: string, before: string, after: string) => Answer
  /** What must come first where the agent demands it, such as reading the file. */
  readonly beforeEdit?: (file: string) => Answer[]
  readonly command: (command: string) => Answer
  /** Starts a helper that writes `docs/greet.md`. */
  readonly helper?: (house: AgentHouse) => Answer[]
  /** Whether a hook of the agent's own form exists. */
  readonly hasHook?: boolean
}

const [FIRST, SECOND, THIRD] = requests
const EARLIER = 'An earlier dialog, held with another agent'

export function proveAgent(agent: RealAgent): void {
  describe(agent.id, () => {
    let house: AgentHouse
    let sessionId: string

    const turn = async (request: string, ...script: Answer[]) => {
      const from = house.model.heard.length
      house.model.script(...script)
      const { output, status } = await house.run(
        programOf(agent.id),
        agent.args(request, from === 0, sessionId),
        agent.env?.(house) ?? {},
        agent.input?.(request),
      )
      const heard = house.model.heard.slice(from)
      expect(heard.length, output).toBeGreaterThan(0)
      expect(status, output).toBe(0)
      return heard
    }

    beforeAll(async () => {
      house = new AgentHouse(agent.id)
      await house.model.start()
      agent.settings?.(house)
      putEarlierDialog(house)
      const { stdout, status } = house.secretary('init', '--client', agent.id, '--yes')
      expect(status, stdout).toBe(0)
    })
    afterAll(() => house.leave())

    it(proofs.tools, async () => {
      const heard = await turn(FIRST, { call: 'get_first_request' }, { say: 'You asked for it.' })
      const offered = heard.flatMap(({ tools }) => tools.map(({ name }) => name))
      expect(offered).toContainEqual(expect.stringMatching(/get_first_request$/))
      sessionId = newestOf(house, agent.source)
      const answer = new RegExp(`sessionId\\\\*":\\s*\\\\*"${sessionId}`)
      expect(heard.some(({ words }) => answer.test(words))).toBe(true)
    })

    if (agent.hasHook)
      it(proofs.start, () => {
        expect(house.model.heard.some(({ words }) => words.includes(EARLIER))).toBe(true)
      })

    it(proofs.deeds, async () => {
      const file = join(house.project, 'src', 'greet.js')
      await turn(
        SECOND,
        agent.command('npm test'),
        ...(agent.beforeEdit?.(file) ?? []),
        agent.edit(file, 'Hello', 'Good morning'),
        agent.command('npm test'),
        { say: 'It says good morning now.' },
      )
      expect(readFileSync(file, 'utf8')).toContain('Good morning')
      const [entry] = entriesOf(house, sessionId, 2)
      expect(entry).toMatchObject({
        files: [{ path: 'src/greet.js', plus: 1, minus: 1 }],
        ended: ['test failed (npm test)', 'test passed (npm test)'],
        state: 'tested',
      })
    })

    if (agent.helper)
      it(proofs.helper, async () => {
        await turn(THIRD, ...(agent.helper?.(house) ?? []), { say: 'Written down.' })
        const [entry] = entriesOf(house, sessionId, 3)
        expect(entry).toMatchObject({ files: [{ path: 'docs/greet.md', plus: 1 }] })
      })
    else
      it('takes a third request', async () => {
        await turn(THIRD, { say: 'Noted.' })
      })

    it(proofs.words, () => {
      const kept = requests.map((_, place) =>
        house.ask('get_request', { sessionId, index: place + 1 }),
      )
      expect(kept.map(({ request }) => request)).toEqual(requests)
      expect(kept.map(({ totalRequests }) => totalRequests)).toEqual([3, 3, 3])
    })
  })
}

function entriesOf(house: AgentHouse, sessionId: string, index: number): object[] {
  return house.ask('ledger', { sessionId, index }).entries as object[]
}

function newestOf(house: AgentHouse, source: SourceName): string {
  const { dialogs } = house.ask('list_dialogs', { source, limit: 100 })
  const own = (dialogs as { sessionId: string }[]).filter((one) => one.sessionId !== 'earlier')
  expect(own).toHaveLength(1)
  return own[0]?.sessionId ?? ''
}

function putEarlierDialog(house: AgentHouse): void {
  const lines = [
    { type: 'user', message: { role: 'user', content: EARLIER } },
    {
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] },
    },
  ].map((record, place) =>
    JSON.stringify({
      ...record,
      uuid: `earlier-${place}`,
      sessionId: 'earlier',
      cwd: house.project,
      timestamp: new Date().toISOString(),
    }),
  )
  house.write(
    house.inHome('.claude', 'projects', house.project.replace(/\W/g, '-'), 'earlier.jsonl'),
    `${lines.join('\n')}\n`,
  )
}
