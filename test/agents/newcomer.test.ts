import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { realRegistry } from '../support/package-registry.ts'
import { checkOutInto } from '../support/published-repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { typeAnswers } from '../support/type-answers.ts'
import { AgentHouse } from './agent-house.ts'
import { AgentTerminal } from './agent-terminal.ts'
import { claudeCode, claudeCodeTerminal } from './claude-code.ts'
import { codex } from './codex.ts'
import { programOf } from './install-agents.mjs'
import { openCode } from './opencode.ts'
import type { RealAgent } from './prove-agent.ts'

const askedBefore = ({ id }: RealAgent) => `Greet people by name, as ${id} can`
const LATER = 'Go on with what is left'
const agents = [claudeCode, codex, openCode]

/** A person who reads the README from its first line, on a machine where three agents have been at work already. */
describe('a newcomer', () => {
  const first = new AgentHouse(claudeCode.id)
  const houses = new Map(
    agents.map((agent) => [agent, agent === claudeCode ? first : new AgentHouse(agent.id, first)]),
  )
  const checkout = join(temporaryFolder(), 'secretary')
  // What npm keeps is npm's.
  const cache = join(temporaryFolder(), 'npm')
  const env: Record<string, string> = {
    ...first.env,
    PATH: `${first.env.PATH}:${process.env.PATH}`,
    SECRETARY_PORT: '0',
    npm_config_cache: cache,
    npm_config_registry: realRegistry(),
    ...(process.env.NODE_EXTRA_CA_CERTS
      ? { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS }
      : {}),
  }
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [start = '', connect = ''] = (/```\n([\s\S]*?)```/.exec(readme)?.[1] ?? '').split('\n')
  const type = (command: string, answer: string) =>
    typeAnswers(
      command,
      { cwd: checkout, env },
      Array.from({ length: 12 }, () => answer),
    )

  const ask = async (agent: RealAgent, request: string, isFirst: boolean) => {
    const house = houses.get(agent)
    if (!house) throw new Error(agent.id)
    const from = house.model.heard.length
    house.model.script({ say: 'As you wish.' })
    const { output, status } = await house.run(
      programOf(agent.id),
      agent.args(request, isFirst, ''),
      agent.env?.(house) ?? {},
      agent.input?.(request),
    )
    expect(status, output).toBe(0)
    return house.model.heard.slice(from).map(({ words }) => words)
  }

  beforeAll(async () => {
    rmSync(join(first.home, '..', 'bin', 'secretary'))
    mkdirSync(checkout)
    checkOutInto(checkout)
    for (const [agent, house] of houses) {
      await house.model.start()
      agent.settings?.(house)
      if (agent === claudeCode) claudeCodeTerminal.settings?.(house)
      await ask(agent, askedBefore(agent), true)
    }
  })
  afterAll(async () => {
    for (const house of houses.values()) await house.leave()
  })

  it('starts the server by the first line', async () => {
    const server = spawn('sh', ['-c', start], { cwd: checkout, env, detached: true })
    let said = ''
    for (const stream of [server.stdout, server.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    await vi.waitFor(() => expect(said).toMatch(/Press Ctrl-C|npm error/), {
      timeout: 280_000,
      interval: 200,
    })
    const page = await fetch(/page {2}(\S+)/.exec(said)?.[1] ?? '')
    expect(page.status, said).toBe(200)
    if (server.pid) process.kill(-server.pid, 'SIGINT')
  })

  it('is shown what would be written, and leaves no trace by connecting and undoing', async () => {
    rmSync(join(first.home, '.secretary'), { recursive: true, force: true })
    const before = filesIn(first.home)
    const shown = await type(`${connect} -- --dry-run`, 'y')
    for (const label of ['Claude Code', 'Codex', 'opencode']) expect(shown).toContain(label)
    expect(filesIn(first.home)).toEqual(before)
    const written = await type(connect, 'y')
    expect(written.match(/^Written: /gm)?.length).toBeGreaterThanOrEqual(agents.length)
    expect(filesIn(first.home)).not.toEqual(before)
    await type(`${connect} -- --undo`, 'y')
    expect(filesIn(first.home)).toEqual(before)
  })

  it('says no, and nothing is written', async () => {
    const before = filesIn(first.home)
    await type(connect, 'n')
    expect(filesIn(first.home)).toEqual(before)
  })

  describe('who has connected', () => {
    beforeAll(() => type(connect, 'y'))

    it('is told by doctor that every connection works', async () => {
      const { stdout } = spawnSync('node', ['dist/secretary.js', 'doctor'], {
        cwd: checkout,
        env,
        encoding: 'utf8',
      })
      for (const label of ['Claude Code', 'Codex', 'opencode'])
        expect(stdout).toMatch(new RegExp(`✓ ${label}`))
    })

    for (const [index, agent] of agents.entries())
      it(`has what was asked last in the first session of ${agent.id}`, async () => {
        const lastTime = ({ id }: RealAgent) => `What did I ask last time, ${id}?`
        const [before] = agents.slice(index - 1)
        const last = before && (index === 0 ? askedBefore(before) : lastTime(before))
        const heard = await ask(agent, lastTime(agent), true)
        expect(heard.filter((words) => words.includes(last ?? '?'))).not.toEqual([])
      })

    it('has the requests in the model’s context again after a compaction', async () => {
      const house = houses.get(claudeCode)
      if (!house) throw new Error('no Claude Code')
      const typed = new AgentTerminal(
        house,
        [programOf('claude-code'), ...claudeCodeTerminal.args],
        claudeCode.env?.(house) ?? {},
      )
      const say = async (text: string) => {
        typed.paste(text)
        await expect.poll(() => typed.screen()).toContain(text.slice(0, 20))
        typed.press('Enter')
      }
      await expect.poll(() => typed.screen()).toMatch(claudeCodeTerminal.ready)
      house.model.script({ say: 'Good morning.' })
      await say('Say good morning to everybody')
      await expect.poll(() => house.model.unsaid).toBe(0)
      const isLater = (words: string) => words.includes(LATER)
      house.model.script({ say: 'Nothing of it.' }, { say: 'I go on.', fits: isLater })
      await expect.poll(() => typed.screen()).toContain('Good morning.')
      await say('/compact')
      await expect.poll(() => typed.screen()).toMatch(/[Cc]ompacted/)
      await say(LATER)
      await expect.poll(() => house.model.unsaid).toBe(0)
      typed.close()
      const told = house.model.heard.filter(({ words }) => isLater(words))
      expect(told.some(({ words }) => words.includes('Say good morning to everybody'))).toBe(true)
    })

    it('finds no entry of ours in any agent’s settings after undoing', async () => {
      await type(`${connect} -- --undo`, 'y')
      const settings = filesIn(first.home).filter(([path]) =>
        /^\.claude\.json$|^\.claude\/settings|^\.codex\/[^/]*$|^\.config\//.test(path),
      )
      expect(settings.length).toBeGreaterThan(0)
      for (const [path] of settings)
        expect(readFileSync(join(first.home, path), 'utf8'), path).not.toContain('secretary.js')
    })
  })
})

/** Every file below a folder with a digest of what it holds. */
function filesIn(folder: string, root = folder): [path: string, digest: string][] {
  return readdirSync(folder)
    .sort()
    .flatMap((name): [string, string][] => {
      const path = join(folder, name)
      const stats = lstatSync(path)
      if (stats.isDirectory()) return filesIn(path, root)
      if (!stats.isFile() && !stats.isSymbolicLink()) return []
      const held = stats.isFile() ? readFileSync(path) : readlinkSync(path)
      return [[relative(root, path), createHash('sha256').update(held).digest('hex')]]
    })
}
