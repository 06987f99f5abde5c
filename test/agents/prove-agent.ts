import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clients } from '@secretary-mcp/secretary/cli/clients/clients.ts'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgentHouse } from './agent-house.ts'
import { programOf } from './install-agents.mjs'
import type { Answer } from './model/answer.ts'
import { EARLIER, isAnsweredWith, newestOf, putEarlierDialog } from './own-answers.ts'
import proofs from './proofs.json' with { type: 'json' }
import { requests } from './requests.ts'
import { takeSample } from './take-sample.ts'
import { isHelper } from './write-docs.ts'

export interface RealAgent {
  readonly id: string
  readonly source: SourceName
  /** Which files of the home hold its dialogs. */
  readonly sessions: RegExp
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
  /** Whether it can call tools of servers at all. */
  readonly hasTools?: boolean
  /** How its model calls a tool of Secretary, where that takes more than the tool's name. */
  readonly callTool?: (tool: string, input: object) => Answer[]
  /** Whether the first turn is on the disk only once it is over: then the second asks for it. */
  readonly isWrittenLate?: boolean
  /** Whether nothing tells two of its kind apart for certain: what one of them calls may be written down only later. */
  readonly isGuessed?: boolean
  /** Whether it goes on with a dialog only in a terminal, so that each request here opens another. */
  readonly opensAnew?: boolean
  /** Whether its files do not tell how a command ended. */
  readonly hidesExits?: boolean
  /** Whether a hook of the agent's own form exists. */
  readonly hasHook?: boolean
}

const [FIRST, SECOND, THIRD] = requests

export function proveAgent(agent: RealAgent): void {
  describe(agent.id, () => {
    let house: AgentHouse
    /** The dialog of each request so far. */
    const sessions: string[] = []
    const entryOf = (index: number) => {
      const at = { sessionId: sessions.at(-1), index: agent.opensAnew ? 1 : index }
      return (house.ask('ledger', at).entries as object[])[0]
    }

    const turn = async (request: string, ...script: Answer[]) => {
      const from = house.model.heard.length
      house.model.script(...script)
      const { output, status } = await house.run(
        programOf(agent.id),
        agent.args(request, from === 0, sessions[0] ?? ''),
        agent.env?.(house) ?? {},
        agent.input?.(request),
      )
      const heard = house.model.heard.slice(from)
      expect(heard.length, output).toBeGreaterThan(0)
      expect(status, output).toBe(0)
      sessions.push(newestOf(house, agent.source, agent.opensAnew ? sessions : []))
      return heard
    }

    beforeAll(async () => {
      house = new AgentHouse(agent.id)
      await house.model.start()
      agent.settings?.(house)
      putEarlierDialog(house)
      if (agent.hasTools === false) return
      const { stdout, status } = house.secretary('init', '--client', agent.id, '--yes')
      expect(status, stdout).toBe(0)
    })
    afterAll(async () => {
      if (process.env.SECRETARY_SAMPLES) takeSample(agent.source, house, agent.sessions)
      await house.leave()
    })

    const getFirst = callsOf(agent, 'get_first_request')
    const begin = () =>
      turn(FIRST, ...(agent.hasTools === false ? [] : getFirst), { say: 'You asked for it.' })

    if (agent.hasTools === false)
      it('takes a first request', async () => {
        expect(await begin()).toHaveLength(1)
      })
    else
      it(proofs.tools, async () => {
        const heard = await begin()
        const named = heard.filter(({ words }) =>
          /\bget_first_request|_get_first_request/.test(words),
        )
        expect(named).not.toEqual([])
        if (!agent.isWrittenLate) expect(isAnsweredWith(sessions[0] ?? '', heard)).toBe(true)
        // Names of tools are short only for agents that name the server, too: in the name or as its group.
        const offered = heard.flatMap(({ tools }) =>
          tools.map(({ group = '', name }) => `${group} ${name}`),
        )
        // Some only list the names and load a tool once it is wanted.
        const listed = heard.flatMap(
          ({ words }) => words.match(/\bmcp__\w+_get_first_request/g) ?? [],
        )
        const ours = [...offered, ...listed].filter((name) => name.endsWith('get_first_request'))
        expect(ours).not.toEqual([])
        if (clients.find(({ id }) => id === agent.id)?.namesServer)
          expect(ours.filter((name) => !name.includes('secretary'))).toEqual([])
      })

    if (agent.hasHook)
      it(proofs.start, () => {
        expect(house.model.heard.some(({ words }) => words.includes(EARLIER))).toBe(true)
      })

    it(proofs.deeds, async () => {
      const file = join(house.project, 'src', 'greet.js')
      const heard = await turn(
        SECOND,
        ...(agent.isWrittenLate ? getFirst : []),
        agent.command('npm test'),
        ...(agent.beforeEdit?.(file) ?? []),
        agent.edit(file, 'Hello', 'Good morning'),
        agent.command('npm test'),
        { say: 'It says good morning now.' },
      )
      expect(readFileSync(file, 'utf8')).toContain('Good morning')
      if (agent.isWrittenLate) expect(isAnsweredWith(sessions[0] ?? '', heard)).toBe(true)
      expect(entryOf(2)).toMatchObject({
        files: [{ path: 'src/greet.js', plus: 1, minus: 1 }],
        ...(agent.hidesExits
          ? { commands: 2 }
          : { ended: ['test passed (npm test)'], state: 'tested' }),
      })
    })

    if (agent.helper)
      it(proofs.helper, async () => {
        const heard = await turn(THIRD, ...(agent.helper?.(house) ?? []))
        expect(heard.some(({ words }) => isHelper(words))).toBe(true)
        expect(entryOf(3)).toMatchObject({ files: [{ path: 'docs/greet.md', plus: 1 }] })
      })
    else
      it('takes a third request', async () => {
        await turn(THIRD, { say: 'Noted.' })
      })

    it(proofs.words, () => {
      const kept = requests.map((_, place) =>
        house.ask('get_request', {
          sessionId: sessions[place],
          index: agent.opensAnew ? 1 : place + 1,
        }),
      )
      expect(kept.map(({ request }) => request)).toEqual(requests)
      const total = agent.opensAnew ? 1 : requests.length
      expect(kept.map(({ totalRequests }) => totalRequests)).toEqual([total, total, total])
    })

    if (!agent.opensAnew)
      it(proofs.resume, () => {
        expect(sessions).toHaveLength(requests.length)
        expect(new Set(sessions).size).toBe(1)
      })
  })
}

/** The calls by which its model uses a tool of Secretary. */
export function callsOf(agent: RealAgent, tool: string, input: object = {}): Answer[] {
  return agent.callTool?.(tool, input) ?? [{ call: tool, input }]
}
