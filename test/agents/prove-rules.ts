import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgentHouse } from './agent-house.ts'
import { programOf } from './install-agents.mjs'
import type { Answer } from './model/answer.ts'
import type { RealAgent } from './prove-agent.ts'

const NAME = 'Tests before a commit'

/** A rule about commits, as the agent's own hook enforces it. */
export function proveRules(agent: RealAgent): void {
  describe(`${agent.id} with a watched rule`, () => {
    let house: AgentHouse
    let isFirst = true
    const write = (then: 'tell' | 'deny') =>
      house.write(
        house.inHome('.secretary', 'docroot', 'guidelines', 'checks.md'),
        `---\ndescription: Run the tests before every commit.\nwatch:\n  on: commit\n  files: ["src/**"]\n  require: ["npm test"]\n  then: ${then}\n---\n# ${NAME}\n`,
      )
    const turn = async (script: Answer[], env: Record<string, string> = {}) => {
      const from = house.model.heard.length
      house.model.script(...script, { say: 'Done.' })
      const { status, output } = await house.run(
        programOf(agent.id),
        agent.args('Commit it', isFirst, ''),
        { ...agent.env?.(house), ...env },
        agent.input?.('Commit it'),
      )
      isFirst = false
      expect(status, output).toBe(0)
      return house.model.heard.slice(from).map(({ words }) => words)
    }
    const change = (before: string, after: string): Answer[] => {
      const file = join(house.project, 'src', 'greet.js')
      return [...(agent.beforeEdit?.(file) ?? []), agent.edit(file, before, after)]
    }
    const commit = (subject: string) =>
      agent.command(`git -c user.name=dev -c user.email=dev@localhost commit -qam '${subject}'`)
    const subjects = () =>
      spawnSync('git', ['log', '--format=%s'], {
        cwd: house.project,
        env: house.env,
        encoding: 'utf8',
      })
        .stdout.trim()
        .split('\n')
        .slice(0, -1)

    beforeAll(async () => {
      house = new AgentHouse(agent.id)
      await house.model.start()
      agent.settings?.(house)
      house.secretary('init', '--client', agent.id, '--yes', '--watch-rules', 'on')
    })
    afterAll(() => house.leave())

    it('is denied a commit without the tests, and makes it with them', async () => {
      write('deny')
      const denied = await turn([...change('Hello', 'Good morning'), commit('untested')])
      expect(denied.at(-1)).toContain(NAME)
      expect(denied.at(-1)).toContain('Run first: npm test')
      expect(subjects()).toEqual([])
      await turn([agent.command('npm test'), commit('tested')])
      expect(subjects()).toEqual(['tested'])
    })

    it('is told of a rule that says so, and goes on', async () => {
      write('tell')
      const told = await turn([...change('Good morning', 'Good evening'), commit('in the evening')])
      expect(told.at(-1)).toContain('Run first: npm test')
      expect(subjects()).toEqual(['in the evening', 'tested'])
    })

    it('goes on if the hook fails', async () => {
      write('deny')
      const nowhere = { SECRETARY_HOME: join(house.project, 'package.json') }
      await turn([...change('Good evening', 'Good night'), commit('at night')], nowhere)
      expect(subjects()).toEqual(['at night', 'in the evening', 'tested'])
    })
  })
}
