import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recallHooks } from '@secretary-mcp/secretary/cli/clients/agent-hooks.ts'
import { recallPlugins } from '@secretary-mcp/secretary/cli/clients/recall-plugins.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgentHouse } from './agent-house.ts'
import { programOf } from './install-agents.mjs'
import type { Answer } from './model/answer.ts'
import proofs from './proofs.json' with { type: 'json' }
import type { RealAgent } from './prove-agent.ts'

const WISH = 'From now on never greet anybody without a name.'

/** Two dialogs: what is asked for in the first is told in the second, before the same file is changed. */
export function proveEditNotes(agent: RealAgent): void {
  describe(`${agent.id} before an edit`, () => {
    let house: AgentHouse
    const turn = async (request: string, ...script: Answer[]) => {
      const from = house.model.heard.length
      house.model.script(...script, { say: 'Done.' })
      const env = { ...agent.env?.(house), SECRETARY_EDIT_NOTES: 'on' }
      const { status, output } = await house.run(
        programOf(agent.id),
        agent.args(request, true, ''),
        env,
        agent.input?.(request),
      )
      expect(status, output).toBe(0)
      return house.model.heard.slice(from).map(({ words }) => words)
    }

    beforeAll(async () => {
      house = new AgentHouse(agent.id)
      await house.model.start()
      agent.settings?.(house)
      house.secretary('init', '--client', agent.id, '--yes', '--edit-notes', 'on')
      withoutRecall(house.home, agent.id)
    })
    afterAll(() => house.leave())

    it(proofs.edits, async () => {
      const file = join(house.project, 'src', 'greet.js')
      const change = (before: string, after: string) => [
        ...(agent.beforeEdit?.(file) ?? []),
        agent.edit(file, before, after),
      ]
      const first = await turn(`Greet people properly. ${WISH}`, ...change('Hello', 'Good day'))
      expect(first.at(-1)).not.toContain('Earlier requests and decisions')
      const later = await turn(
        'Make it warmer',
        ...change('Good day', 'Good morning'),
        agent.edit(file, 'Good morning', 'Good evening'),
      )
      const last = later.at(-1) ?? ''
      expect(last).toContain(`hold for ${file}:\n- ${WISH}`)
      expect(last.split('Earlier requests and decisions').length - 1).toBe(1)
    })
  })
}

/** The recall at the start would tell the same, and then nothing is left to be told before an edit. */
function withoutRecall(home: string, agentId: string): void {
  const hook = recallHooks[agentId]?.([]) ?? recallPlugins[agentId]?.([])
  const path = hook?.own({ home, platform: process.platform, project: home }) ?? ''
  const text = readFileSync(path, 'utf8')
  if (path.endsWith('.js')) {
    const silent = text.replaceAll("ask('recall'", "ask('no-recall'")
    expect(silent).not.toBe(text)
    writeFileSync(path, silent)
    return
  }
  const settings = JSON.parse(text)
  delete settings.hooks.SessionStart
  delete settings.hooks.sessionStart
  writeFileSync(path, JSON.stringify(settings))
}
