import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishedLines, publishFor } from '../support/published-repository.ts'
import { AgentHouse } from './agent-house.ts'
import { programOf } from './install-agents.mjs'
import { EARLIER, isAnsweredWith, newestOf, putEarlierDialog } from './own-answers.ts'
import proofs from './proofs.json' with { type: 'json' }
import { callsOf, type RealAgent } from './prove-agent.ts'

interface Plugin {
  /** What the agent itself says about the plugin's files. */
  readonly checks?: (root: string) => string[][]
  /** What it asks when it is told to install, and the answer. */
  readonly consent?: string
  /** What makes it wait for the server where it would begin without. */
  readonly patience?: readonly string[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The published line in an empty home, with the repository on this machine, the command on the PATH, and nothing that `init` writes. */
export function provePlugin(agent: RealAgent, plugin: Plugin): void {
  describe(`${agent.id} with its plugin`, () => {
    let house: AgentHouse
    let published: Record<string, string>
    const run = async (program: string, args: readonly string[], input?: string) => {
      const env = { ...agent.env?.(house), ...published }
      const { status, output } = await house.run(program, args, env, input)
      expect(status, `${args.join(' ')}\n${output}`).toBe(0)
      return output
    }

    beforeAll(async () => {
      house = new AgentHouse(agent.id)
      published = publishFor(house.home)
      await house.model.start()
      agent.settings?.(house)
      putEarlierDialog(house)
    })
    afterAll(async () => {
      await house.leave()
    })

    if (plugin.checks)
      it('accepts the files of the plugin', async () => {
        for (const args of plugin.checks?.(root) ?? []) await run(programOf(agent.id), args)
      })

    it(proofs.plugin, async () => {
      await run('sh', ['-c', publishedLines[agent.id] ?? ''], plugin.consent)
      // Some agents send their first request before the server is up.
      const isMissing = (words: string) => !words.includes('get_first_request')
      house.model.script(
        ...Array.from({ length: 50 }, () => ({ ...agent.command('sleep 0.2'), fits: isMissing })),
        ...callsOf(agent, 'get_first_request'),
        { say: 'You asked for it.' },
      )
      const args = [...agent.args('What did I ask?', true, ''), ...(plugin.patience ?? [])]
      const output = await run(programOf(agent.id), args)
      expect(isAnsweredWith(newestOf(house, agent.source), house.model.heard), output).toBe(true)
      expect(house.model.heard.some(({ words }) => words.includes(EARLIER))).toBe(true)
    })
  })
}
