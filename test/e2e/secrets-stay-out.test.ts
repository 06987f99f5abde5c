import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// Put together here, so that no scanner takes this file for one that leaks.
const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4)}`

const isLogLine = (line: string) => line.startsWith('{')

describe('a secret', () => {
  const home = new AgentsHome(temporaryFolder())
  const secretary = (...args: string[]) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [binary, ...args], {
      env: isolatedEnvironment(home.env),
      encoding: 'utf8',
      input: '',
    })
    return { stdout, stderr, status }
  }
  const call = (tool: string, args: object) => {
    const answer = secretary('call', tool, JSON.stringify(args), '--log-level', 'trace')
    expect(answer.status, answer.stderr).toBe(0)
    return answer
  }

  it('is in nothing that is stored, indexed or logged, whichever way it came', () => {
    home.claude(
      'a.jsonl',
      `${JSON.stringify({ type: 'user', cwd: home.project, message: { content: `Use ${SECRET} to push` } })}\n`,
    )
    home.write(join(home.project, 'deploy.md'), `# Deploying\n\nPush with ${SECRET} as the user.\n`)
    home.write(
      join(home.project, 'src/push.ts'),
      `export function pushRelease() {\n  return connect('${SECRET}')\n}\n`,
    )
    const answers = [
      call('add_task', { title: `Rotate ${SECRET}`, description: `It is ${SECRET}` }),
      call('update_task', { task_id: 1, description: `Still ${SECRET}` }),
      call('record_discovery', { type: 'decision', content: `We push with ${SECRET} from CI` }),
      call('guide_set_project_flag', { name: 'push', value: SECRET }),
      secretary('chat', '--once', `Add a task: rotate ${SECRET}`),
      secretary('index'),
      secretary('search', `push with ${SECRET}`),
      secretary('dialogs', 'search', 'push'),
      secretary('dialogs', 'export', 'a'),
    ]
    expect(answers[0]?.stdout).toContain('Rotate [redacted:github-token]')
    const logged = answers.flatMap(({ stderr }) => stderr.split('\n')).filter(isLogLine)
    expect(logged.length).toBeGreaterThan(4)
    expect(logged.filter((line) => line.includes(SECRET))).toEqual([])
    expect(answers.at(-1)?.stdout).toContain('[redacted:github-token]')
    const stored = home.path('.secretary')
    const files = readdirSync(stored, { recursive: true, encoding: 'utf8' })
      .map((name) => join(stored, name))
      .filter((path) => statSync(path).isFile())
    expect(files.some((path) => path.endsWith('secretary.db'))).toBe(true)
    expect(files.filter((path) => readFileSync(path).includes(SECRET))).toEqual([])
  })

  it('is still in the person’s own words, which are read from the agent’s file', () => {
    const { stdout } = call('copilot_chat_secretary_get_request', { index: 1, sessionId: 'a' })
    expect(stdout).toContain(SECRET)
  })
})
