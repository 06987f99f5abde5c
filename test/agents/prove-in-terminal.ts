import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgentHouse } from './agent-house.ts'
import { AgentTerminal } from './agent-terminal.ts'
import { programOf } from './install-agents.mjs'
import proofs from './proofs.json' with { type: 'json' }
import type { RealAgent } from './prove-agent.ts'

interface Compaction {
  readonly command: string
  /** What the screen shows once the command is chosen, where an Enter before that chooses another. */
  readonly offered?: RegExp
  /** What the screen shows once it is over. */
  readonly over: RegExp
  /** Whether the command counts among the requests. */
  readonly isKept?: boolean
  /** Whether a hook tells the model afterwards what was asked before. */
  readonly isTold?: boolean
}

export interface InTerminal {
  readonly args: readonly string[]
  /** What it asks first, and the key that answers it where that is not Enter. */
  readonly asksFirst?: RegExp
  readonly answer?: string
  /** What the screen shows once it takes requests. */
  readonly ready: RegExp
  /** What the screen shows while nothing is typed in, where an Enter soon after a paste is taken for a new line. */
  readonly untyped?: RegExp
  /** What the screen shows while it works, where it goes on after the answer to what was typed in between. */
  readonly busy?: RegExp
  /** What the screen shows once a turn was interrupted, and after an Escape that must be followed by another. */
  readonly stopped: RegExp
  readonly again?: RegExp
  readonly compaction?: Compaction
  /** What goes on with a dialog, where it does so in a terminal only. */
  readonly resuming?: (sessionId: string) => readonly string[]
  /** Whether its files say that it was interrupted. */
  readonly marksInterrupt?: boolean
  /** What has to be in the home so that it asks nothing at the first start. */
  settings?(house: AgentHouse): void
}

/** An Escape that has had no effect for so long is pressed again. */
const LOST_AFTER_MS = 10_000
const ASKED = 'Wait until there is a file go, and then greet «me» 🙂'
const STEERED = 'Also say "good evening" to the others'
const STOPPED = 'Now sleep for a while'
const RESUMED = 'Now that you are back, sit down'
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
    const opened = (...more: readonly string[]) =>
      new AgentTerminal(
        house,
        [programOf(agent.id), ...terminal.args, ...more],
        agent.env?.(house) ?? {},
      )
    const isTaken = () => terminal.untyped?.test(typed.screen()) ?? false
    const ask = async (request: string) => {
      typed.paste(request)
      await expect.poll(() => typed.screen()).toContain(request.slice(0, 20))
      await expect
        .poll(
          () => {
            if (isTaken()) return true
            typed.press('Enter')
            return !terminal.untyped
          },
          { interval: 1000 },
        )
        .toBe(true)
    }

    const interrupt = () => {
      let pressed = 0
      return expect
        .poll(
          () => {
            const screen = typed.screen()
            if (terminal.stopped.test(screen)) return screen
            // The second of two counts only soon after the first: a late one begins anew.
            if (Date.now() - pressed < LOST_AFTER_MS && !terminal.again?.test(screen)) return screen
            typed.press('Escape')
            pressed = Date.now()
            return screen
          },
          { interval: 100 },
        )
        .toMatch(terminal.stopped)
    }

    beforeAll(async () => {
      house = new AgentHouse(agent.id)
      await house.model.start()
      agent.settings?.(house)
      terminal.settings?.(house)
      house.secretary('init', '--client', agent.id, '--yes')
      typed = opened()
    })
    afterAll(async () => {
      typed.close()
      await house.leave()
    })

    const begin = async () => {
      if (terminal.asksFirst) {
        await expect.poll(() => typed.screen()).toMatch(terminal.asksFirst)
        typed.press(terminal.answer ?? 'Enter')
      }
      await expect.poll(() => typed.screen()).toMatch(terminal.ready)
      await ask(ASKED)
    }
    const before = [ASKED, STEERED]
    it(proofs.steering, async () => {
      const wait = 'touch waiting; until [ -e go ]; do sleep 0.1; done'
      house.model.script(agent.command(wait), { say: 'Good morning.' })
      await begin()
      await expect.poll(() => exists('waiting')).toBe(true)
      await ask(STEERED)
      house.write(join(house.project, 'go'), '')
      await expect.poll(() => house.model.heard.at(-1)?.words).toContain(STEERED)
      await expect.poll(requestsNow).toEqual(before)
      if (terminal.busy) await expect.poll(() => typed.screen()).not.toMatch(terminal.busy)
    })

    it(proofs.interrupt, async () => {
      house.model.script(agent.command('touch sleeping; sleep 600'))
      await ask(STOPPED)
      await expect.poll(() => exists('sleeping')).toBe(true)
      await interrupt()
      await expect
        .poll(() => house.ask('ledger', { index: before.length + 1 }).entries)
        .toMatchObject([
          { request: STOPPED, against: terminal.marksInterrupt ? ['interrupted'] : [] },
        ])
    })

    const { compaction, resuming } = terminal
    if (resuming)
      it(proofs.resume, async () => {
        const { sessionId = '' } = house.ask('get_first_request') as { sessionId?: string }
        typed.close()
        typed = opened(...resuming(sessionId))
        house.model.script({ say: 'Here again.' })
        await expect.poll(() => typed.screen()).toMatch(terminal.ready)
        await ask(RESUMED)
        await expect.poll(() => house.model.heard.at(-1)?.words).toContain(ASKED)
        await expect.poll(requestsNow).toEqual([...before, STOPPED, RESUMED])
      })

    if (!compaction) return
    const asked = [...before, STOPPED, ...(resuming ? [RESUMED] : [])]
    it(proofs.compacted, async () => {
      const isLater = (words: string) => words.includes(LATER)
      house.model.script({ say: SUMMARY }, { say: 'I go on.', fits: isLater })
      if (compaction.offered) {
        typed.paste(compaction.command)
        await expect.poll(() => typed.screen()).toMatch(compaction.offered)
        typed.press('Enter')
      } else await ask(compaction.command)
      await expect.poll(() => typed.screen()).toMatch(compaction.over)
      await ask(LATER)
      await expect.poll(() => house.model.unsaid).toBe(0)
      const command = compaction.isKept ? [compaction.command] : []
      await expect.poll(requestsNow).toEqual([...asked, ...command, LATER])
      const { stdout } = house.secretary('recall')
      expect(asked.filter((request) => !stdout.includes(request))).toEqual([])
    })

    if (compaction.isTold)
      it(proofs.compaction, () => {
        // An agent may ask on the side too, for what it wants to keep of the dialog.
        const later = house.model.heard.filter(({ words }) => words.includes(LATER))
        const isTold = (words: string) =>
          words.includes('# What the person asked') && words.includes(ASKED)
        expect(later.filter(({ words }) => isTold(words))).not.toEqual([])
      })
  })
}
