import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgentHouse } from './agent-house.ts'
import { AgentTerminal } from './agent-terminal.ts'
import { programOf } from './install-agents.mjs'
import proofs from './proofs.json' with { type: 'json' }
import type { RealAgent } from './prove-agent.ts'

interface InTerminal {
  readonly args: readonly string[]
  /** What the screen shows once it takes requests. */
  readonly ready: RegExp
  readonly compact: string
  /** What the screen shows once that is over. */
  readonly compacted: RegExp
  /** What has to be in the home so that it asks nothing at the first start. */
  settings(house: AgentHouse): void
}

const ASKED = 'Wait until there is a file go, and then greet «me» 🙂'
const STEERED = 'Also say "good evening" to the others'
const STOPPED = 'Now sleep for a while'
const SUMMARY = 'Some things were said, and none of them is repeated here.'
const LATER = 'Go on with what is left'

/** What only happens while a person types: a word in between, an interruption, a compaction. */
export function proveInTerminal(agent: RealAgent, terminal: InTerminal): void {
  describe(`${agent.id} in a terminal`, () => {
    let house: AgentHouse
    let typed: AgentTerminal
    const exists = (name: string) => existsSync(join(house.project, name))
    const requestsNow = () =>
      (house.ask('list_requests').requests as { preview: string }[]).map(({ preview }) => preview)
    const ask = async (request: string) => {
      typed.paste(request)
      await expect.poll(() => typed.screen()).toContain(request.slice(0, 20))
      typed.press('Enter')
    }

    beforeAll(async () => {
      house = new AgentHouse(agent.id)
      await house.model.start()
      agent.settings?.(house)
      terminal.settings(house)
      house.secretary('init', '--client', agent.id, '--yes')
      typed = new AgentTerminal(
        house,
        [programOf(agent.id), ...terminal.args],
        agent.env?.(house) ?? {},
      )
    })
    afterAll(async () => {
      typed.close()
      await house.leave()
    })

    it(proofs.steering, async () => {
      const wait = 'touch waiting; until [ -e go ]; do sleep 0.1; done'
      house.model.script(agent.command(wait), { say: 'Good morning.' })
      await expect.poll(() => typed.screen()).toMatch(terminal.ready)
      await ask(ASKED)
      await expect.poll(() => exists('waiting')).toBe(true)
      await ask(STEERED)
      house.write(join(house.project, 'go'), '')
      await expect.poll(() => house.model.heard.at(-1)?.words).toContain(STEERED)
      await expect.poll(requestsNow).toEqual([ASKED, STEERED])
    })

    it(proofs.interrupt, async () => {
      house.model.script(agent.command('touch sleeping; sleep 600'))
      await ask(STOPPED)
      await expect.poll(() => exists('sleeping')).toBe(true)
      typed.press('Escape')
      await expect
        .poll(() => house.ask('ledger', { index: 3 }).entries)
        .toMatchObject([{ request: STOPPED, against: ['interrupted'] }])
    })

    it(proofs.compaction, async () => {
      const isLater = (words: string) => words.includes(LATER)
      house.model.script({ say: SUMMARY }, { say: 'I go on.', fits: isLater })
      await ask(terminal.compact)
      await expect.poll(() => typed.screen()).toMatch(terminal.compacted)
      await ask(LATER)
      await expect.poll(() => house.model.unsaid).toBe(0)
      const last = house.model.heard.findLast(({ words }) => isLater(words))
      expect(last?.words).toContain('# What the person asked')
      expect(last?.words).toContain(ASKED)
      await expect.poll(requestsNow).toEqual([ASKED, STEERED, STOPPED, terminal.compact, LATER])
    })
  })
}
