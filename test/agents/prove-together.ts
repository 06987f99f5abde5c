import { afterAll, describe, expect, it } from 'vitest'
import { AgentHouse } from './agent-house.ts'
import { programOf } from './install-agents.mjs'
import proofs from './proofs.json' with { type: 'json' }
import { callsOf, type RealAgent } from './prove-agent.ts'

const OLDER = 'I came first: greet «everybody» 🙂'
const NEWER = 'I came second: напиши всё в docs'
const ANSWERED = /request\\*":\s*\\*"(I came [^"\\]*)/g

/** Two dialogs are open in one project, and each agent asks for its own request, whichever of them spoke last. */
export function proveTogether(agent: RealAgent, other: RealAgent): void {
  describe(`${agent.id} in company`, () => {
    const houses: AgentHouse[] = []
    afterAll(async () => {
      for (const house of houses) await house.leave()
    })

    const houseOf = async (kind: RealAgent, beside?: AgentHouse) => {
      const house = new AgentHouse(kind.id, beside)
      houses.push(house)
      await house.model.start()
      kind.settings?.(house)
      const { stdout, status } = house.secretary('init', '--client', kind.id, '--yes')
      expect(status, stdout).toBe(0)
      return house
    }

    const prove = async (second: RealAgent) => {
      const house = await houseOf(agent)
      const older = await dialogOf(agent, OLDER, house)
      // Two of a kind share their settings, and so their model.
      const newer = await dialogOf(
        second,
        NEWER,
        second === agent ? house : await houseOf(second, house),
      )
      expect(await newer.asks()).toEqual([NEWER])
      expect(await older.asks()).toEqual([OLDER])
      expect(await newer.asks()).toEqual([NEWER])
      expect(await older.asks()).toEqual([OLDER])
      for (const { status, output } of [await older.ends(), await newer.ends()])
        expect(status, output).toBe(0)
    }
    it(proofs.together, () => prove(other))
    if (!agent.isGuessed) it(proofs.twice, () => prove(agent))
  })
}

/** A dialog that goes on when the test says so: its model answers nothing before. */
async function dialogOf(agent: RealAgent, request: string, house: AgentHouse) {
  const { model } = house
  // What was asked in the older dialog may be told to the newer one at its start.
  const fits = (words: string) =>
    words.includes(request) && (request === NEWER || !words.includes(NEWER))
  const heard = () => model.heard.filter(({ words }) => fits(words))
  const start = (isFirst: boolean) =>
    house.run(
      programOf(agent.id),
      agent.args(request, isFirst, ''),
      agent.env?.(house) ?? {},
      agent.input?.(request),
    )
  if (agent.isWrittenLate) {
    model.alsoScript({ say: 'Yes.', fits })
    await start(true)
  }
  const gates = [gate(), gate(), gate()] as const
  const [first, second, last] = gates.map(({ opened }) => ({ after: opened }))
  const calls = callsOf(agent, 'get_request', { index: 1 })
  const asking = (held: object) => [...calls.slice(0, -1), { ...calls.at(-1), ...held }]
  const script = [
    // A dialog in which nothing was done yet may be cleaned up by the next agent that starts.
    agent.command('true'),
    ...asking({ ...first }),
    ...asking({ ...second }),
    { say: 'Bye.', ...last },
  ]
  model.alsoScript(...script.map((answer) => ({ ...answer, fits })))
  const before = heard().length + calls.length
  const run = start(!agent.isWrittenLate)
  await expect.poll(() => heard().length).toBeGreaterThan(before)
  let asked = 0
  const answers = () =>
    heard()
      .map(({ words }) => [...words.matchAll(ANSWERED)].map(([, answer]) => answer))
      .reduce((most, some) => (some.length > most.length ? some : most), [])
  return {
    /** Whose words the tool gave, in all that it was asked so far. */
    async asks() {
      // Some agents hand their model each answer twice, as text and as data.
      const before = answers().length
      gates[asked++]?.open()
      await expect.poll(() => answers().length).toBeGreaterThan(before)
      return [...new Set(answers())]
    },
    async ends() {
      gates[asked]?.open()
      return run
    },
  }
}

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
