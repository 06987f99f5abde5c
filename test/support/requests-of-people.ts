import { spawnSync } from 'node:child_process'
import { expect } from 'vitest'
import { AgentsHome } from './agents-home.ts'
import type { Asks } from './asks.ts'
import { binary } from './mcp-client.ts'
import { namedHost } from './named-host.ts'
import { publishedClone } from './published-clone.ts'
import type { SpaceBody } from './space-house.ts'
import type { KnownRequest, SpaceWorld } from './space-world.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { keepWorkedDialog } from './worked-dialog.ts'

const DIALOGS = 2
const tool = (name: string) => `copilot_chat_secretary_${name}`

interface Servers {
  readonly env: Readonly<Record<string, string>>
  readonly owner: string
  /** Everybody's machine uses the servers' SECRETARY_HOME. */
  readonly isOneFile: boolean
}

/** People with a machine of their own, on which each asked something that they may share. */
export class RequestsOfPeople {
  readonly #machines = new Map<string, AgentsHome>()
  readonly #world: SpaceWorld
  /** What the servers' environment says, for those machines too. */
  readonly #env: Readonly<Record<string, string>>
  readonly #serverOwner: string
  readonly #isOneFile: boolean

  constructor(
    world: SpaceWorld,
    people: readonly string[],
    word: () => string,
    { env, owner, isOneFile }: Servers,
  ) {
    this.#serverOwner = owner
    this.#world = world
    this.#env = env
    this.#isOneFile = isOneFile
    const files: Record<string, string> = {}
    for (const owner of people) {
      const home = new AgentsHome(temporaryFolder())
      publishedClone(home.project, {})
      this.#machines.set(owner, home)
      for (let n = 1; n <= DIALOGS; n++) {
        const file = `src/part-${owner}-${n}.ts`
        const text = `export function partNumber${n}Of${owner}(amount: number): number {\n`
        files[file] = text
        const request = { owner, sessionId: `asked-${owner}-${n}`, word: word(), file }
        const acts = [{ write: file, text }, { run: `npm test ${request.word}` }]
        const turn = { ask: `Build ${request.word}.`, acts, says: `It is ${request.word} now.` }
        const lastAt = Date.parse('2026-05-04T10:00:00.000Z') + n * 60_000
        keepWorkedDialog(home, request.sessionId, [{ ...turn, minutesAgo: 0 }], { lastAt })
        world.requests.push({ ...request, spaces: new Set() })
      }
    }
    publishedClone(env.SECRETARY_PROJECT ?? '', files)
  }

  /** On the command line of the machine where it was asked. */
  share({ owner, sessionId, spaces }: KnownRequest, space: string): string {
    const { stderr, status } = this.#secretary(owner, 'dialogs', 'share', sessionId, space)
    const may = this.#world.isAtLeast(owner, space, 'member')
    const said = `${owner} shares ${sessionId} with ${space}`
    expect(status, `${said}: ${stderr}`).toBe(may ? 0 : 1)
    if (may) spaces.add(space)
    return said
  }

  /** Every surface that draws on shared requests, as one person sees it. */
  async check(asks: Asks, wanted: KnownRequest): Promise<void> {
    const { user, at } = asks
    const world = this.#world
    const reads = world.readsShared(user, wanted)
    const { sessionId, word, file } = wanted
    const says = `${at} looks for ${word} of ${wanted.owner}`
    // On one file what the owner of the server asked is hers there, shared or not: it says no space.
    const isOwn = this.#isOneFile && user === this.#serverOwner && wanted.owner === user
    const tells = (shown: unknown) => (isOwn ? reads : JSON.stringify(shown ?? '').includes(word))

    const found = await asks.tool(tool('search_requests'), { query: word })
    expect(tells(found.results), says).toBe(reads)
    const notes = await asks.tool('context_search', { query: `build ${word}`, limit: 20 })
    expect(tells(notes.results), says).toBe(reads)
    expectWhole(notes, 20, says)
    const packed = await asks.tool('context_pack', { goal: `Build ${word}` })
    expect(tells(packed.parts), says).toBe(reads)
    const why = await asks.tool(tool('why'), { file, line: 1 })
    expect(tells(why), says).toBe(reads)
    const page = await asks.rest(`/api/v1/find?q=${word}`)
    expect(tells(page.groups), says).toBe(reads)
    for (const name of ['ledger', 'list_requests', 'get_request', 'get_first_request']) {
      const args = name === 'get_request' ? { sessionId, index: 1 } : { sessionId }
      const answer = await asks.tool(tool(name), args)
      expect(tells(answer), `${says} with ${name}`).toBe(reads)
      if (isOwn) continue
      if (reads) expect(world.nameOf(wanted, user), says).toContain(answer.space)
      else expect(answer.error, says).toBe(`Session not found: ${sessionId}`)
    }
    for (const { id } of world.spacesOf(user)) {
      const here = world.requests.filter(({ spaces }) => spaces.has(id))
      const listed = await asks.rest(`/api/v1/spaces/${id}/requests`)
      expect(listed.total, says).toBe(here.length)
      expect(listed.dialogs.map((one) => one.sessionId).sort(), says).toEqual(
        here.map((one) => one.sessionId).sort(),
      )
    }
    const own = world.requests.filter(({ owner }) => owner === user)
    const shared = (await asks.rest('/api/v1/request-sharing')).dialogs
    expect(shared.length, says).toBe(own.reduce((sum, { spaces }) => sum + spaces.size, 0))
  }

  /** Where other people's machines have their clones: nobody's business. */
  foldersOfOthers(user: string): string[] {
    return [...this.#machines].flatMap(([owner, home]) => (owner === user ? [] : home.project))
  }

  /** What is counted and offered of dialogs on this server: the owner's own, where they are here, and nobody else's. */
  async checkOwn({ user, at, tool: call, rest }: Asks): Promise<void> {
    const most = this.#isOneFile && user === this.#serverOwner ? DIALOGS : 0
    const listed = await rest('/api/v1/dialogs')
    expect(listed.total, at).toBeLessThanOrEqual(most)
    expect(listed.dialogs.length, at).toBe(listed.total)
    const { sources, projects } = await rest('/api/v1/dialogs/facets')
    expect([sources.length, projects.length], at).toEqual(listed.total > 0 ? [1, 1] : [0, 0])
    const today = await rest('/api/v1/today?since=0')
    expect(today.dialogs, at).toBe(listed.total)
    expect(today.total, at).toBeLessThanOrEqual(most)
    const { commands } = await call(tool('how'), { what: 'run the tests' })
    expect(commands.length, at).toBeLessThanOrEqual(most)
    const { fixes } = await call(tool('fix'), { error: 'Error: it broke' })
    expect(fixes, at).toEqual([])
  }

  #secretary(user: string, ...args: string[]) {
    const home = this.#machines.get(user)
    const env = { ...this.#env, ...home?.env }
    const one = this.#isOneFile
      ? { SECRETARY_HOME: this.#env.SECRETARY_HOME }
      : namedHost(`machine-of-${user}`)
    return spawnSync(process.execPath, [binary, ...args, '--user', user], {
      env: { ...env, ...one },
      encoding: 'utf8',
    })
  }
}

/** Of a list that was not cut off, the count is its length; of one that was, it is more. */
export function expectWhole(
  { results = [], totalFound = 0 }: Pick<SpaceBody, 'results' | 'totalFound'>,
  limit: number,
  says: string,
): void {
  if (results.length < limit) expect(totalFound, says).toBe(results.length)
  else expect(totalFound, says).toBeGreaterThanOrEqual(limit)
}
