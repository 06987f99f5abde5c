import { describe, expect, it } from 'vitest'
import { engines } from '../support/engines.ts'
import { expectWhole, RequestsOfPeople } from '../support/requests-of-people.ts'
import { openSpaceHouse, type SpaceBody } from '../support/space-house.ts'
import {
  EVERYBODY,
  type KnownRequest,
  type Role,
  SpaceWorld,
  seeded,
} from '../support/space-world.ts'

const PEOPLE = ['ada', 'bob', 'cyd', 'eve', 'grace'] as const
const SERVER_OPERATOR = 'grace'
/** One of them, whose machine has the servers' name, and on SQLite everybody's folder. */
const SERVER_OWNER = 'ada'
const ROLES: readonly Role[] = ['reader', 'member', 'operator']
const STEPS = 36
/** Only for what hangs. */
const LONGEST_MS = 600_000
const SEED = Number(process.env.SECRETARY_SEED ?? 7)

/** What was asked for stands in these answers too, and is no answer. */
const ECHOING: Readonly<Record<string, (body: SpaceBody) => unknown>> = {
  context_search: ({ results, error }) => results ?? error,
  context_pack: ({ goal: _goal, ...pack }) => pack,
  copilot_chat_secretary_search_requests: ({ results }) => results,
}

type Among = ReturnType<typeof seeded>['among']

describe.each(engines)('over random people, spaces, roles and shares on $name', (engine) => {
  it(`nobody sees what is not theirs, and all find what is (seed ${SEED})`, {
    timeout: LONGEST_MS,
  }, async () => {
    const { next, among, word } = seeded(SEED)
    const world = new SpaceWorld([SERVER_OPERATOR])
    let people: RequestsOfPeople | undefined
    const roles = { owner: SERVER_OWNER, operator: SERVER_OPERATOR }
    const house = await openSpaceHouse(engine, PEOPLE, roles, (env) => {
      people = new RequestsOfPeople(world, PEOPLE, word, {
        env,
        owner: SERVER_OWNER,
        isOneFile: engine.name === 'sqlite',
      })
    })
    let shares = 0
    let sharedRequests = 0
    try {
      for (let step = 0; step < STEPS; step++) {
        const done = await change()
        if (world.tasks.size < 3) continue
        await Promise.all(
          PEOPLE.map((user, place) =>
            // Of their own, since they run side by side: the same seed gives the same run.
            check(user, `step ${step}: ${done}; ${user}`, seeded(SEED + step * 1000 + place).among),
          ),
        )
      }
      expect(shares).toBeGreaterThan(0)
      expect(sharedRequests).toBeGreaterThan(2)
      expect(world.spaces.size).toBeGreaterThan(2)
    } finally {
      await house.close()
    }

    function send(user: string, method: string, path: string, body?: object) {
      return house.send(user, method, path, body)
    }

    /** One random change by a random person; what comes back is what the rules say. */
    async function change(): Promise<string> {
      const actor = among(PEOPLE)
      const space = among([...world.spaces.values()])
      const chance = next()
      if (world.spaces.size < 3 || chance < 0.05) return createSpace(actor)
      if (world.tasks.size < 3 || chance < 0.2) return addTask(actor)
      const request = among(world.requests)
      const part = next()
      if (sharedRequests === 0 || part < 0.25) return shareRequest(request, space.id)
      if (part < 0.32) return takeRequestBack(next() < 0.7 ? request.owner : actor, request)
      if (part < 0.37) return removeRequest(actor, request, space.id)
      if (chance < 0.3) return recordDiscovery(actor, next() < 0.3 ? undefined : space.id)
      if (chance < 0.5) return changeMember(actor, space.id, among(PEOPLE), among(ROLES))
      if (chance < 0.6) return changeMember(actor, space.id, among(PEOPLE))
      const task = among([...world.tasks.values()])
      // Mostly by those for whom something could happen.
      const owner = next() < 0.7 ? task.owner : actor
      if (shares === 0) return shareTask(task.owner, task.id, EVERYBODY)
      if (chance < 0.75) return shareTask(owner, task.id, space.id)
      if (chance < 0.85) return takeBack(owner, task.id)
      return changeTask(actor, task.id, among(['patch', 'complete', 'delete'] as const))
    }

    async function createSpace(user: string): Promise<string> {
      const name = `space-${word()}`
      const { status, body } = await send(user, 'POST', '/api/v1/spaces', { name })
      expect(status).toBe(201)
      world.spaces.set(body.space.id, {
        id: body.space.id,
        name,
        roles: new Map([[user, 'operator']]),
      })
      return `${user} creates ${name}`
    }

    async function changeMember(actor: string, space: string, user: string, role?: Role) {
      const said = `${actor} makes ${user} ${role ?? 'leave'} in ${space}`
      const wanted = world.memberChange(actor, space, user, role)
      const path = `/api/v1/spaces/${space}/members/${user}`
      const answer = await send(actor, role ? 'PUT' : 'DELETE', path, role && { role })
      expect(answer.status, said).toBe(wanted)
      const roles = world.spaces.get(space)?.roles
      if (wanted === 204) role ? roles?.set(user, role) : roles?.delete(user)
      return said
    }

    async function addTask(owner: string): Promise<string> {
      const said = word()
      const given = { title: `Task ${said}`, description: `About ${said}`, labels: [said] }
      const { status, body } = await send(owner, 'POST', '/api/v1/tasks', given)
      expect(status).toBe(201)
      world.tasks.set(body.task.id, { id: body.task.id, owner, word: said, completed: false })
      return `${owner} adds ${said}`
    }

    async function shareTask(actor: string, id: number, space: string): Promise<string> {
      const task = world.tasks.get(id)
      if (!task) throw new Error('no such task')
      const wanted = !world.readsTask(actor, task)
        ? 404
        : !world.roleIn(actor, space)
          ? 404
          : !world.isAtLeast(actor, space, 'member') || task.owner !== actor
            ? 403
            : 200
      const answer = await send(actor, 'PUT', `/api/v1/tasks/${id}/space`, { space })
      const said = `${actor} shares ${task.word} of ${task.owner} with ${space}`
      expect(answer.status, said).toBe(wanted)
      if (wanted === 200) {
        task.space = space
        shares++
      }
      return said
    }

    async function shareRequest(request: KnownRequest, space: string): Promise<string> {
      // At first with all, so that there is something to see.
      const said = people?.share(request, sharedRequests === 0 ? EVERYBODY : space) ?? ''
      if (request.spaces.size > 0) sharedRequests++
      return said
    }

    async function takeRequestBack(actor: string, request: KnownRequest): Promise<string> {
      const path = `/api/v1/request-sharing/dialogs/${request.sessionId}`
      const may = request.owner === actor && request.spaces.size > 0
      const { status, text } = await send(actor, 'DELETE', path)
      const said = `${actor} takes ${request.sessionId} back`
      expect(status, `${said}: ${text}`).toBe(may ? 204 : 404)
      if (may) request.spaces.clear()
      return said
    }

    async function removeRequest(actor: string, request: KnownRequest, space: string) {
      const { sessionId, owner, spaces } = request
      const path = `/api/v1/spaces/${space}/requests/${sessionId}?by=${owner}`
      const isOperator = world.isAtLeast(actor, space, 'operator')
      const wanted = !world.roleIn(actor, space)
        ? 404
        : !isOperator
          ? 403
          : spaces.has(space)
            ? 204
            : 404
      const { status, text } = await send(actor, 'DELETE', path)
      const said = `${actor} removes ${sessionId} from ${space}`
      expect(status, `${said}: ${text}`).toBe(wanted)
      if (wanted === 204) spaces.delete(space)
      return said
    }

    async function takeBack(actor: string, id: number): Promise<string> {
      const task = world.tasks.get(id)
      if (!task) throw new Error('no such task')
      const may = task.owner === actor || world.isAtLeast(actor, task.space, 'operator')
      const wanted = !world.readsTask(actor, task) ? 404 : may ? 204 : 403
      const answer = await send(actor, 'DELETE', `/api/v1/tasks/${id}/space`)
      const said = `${actor} takes ${task.word} of ${task.owner} back`
      expect(answer.status, said).toBe(wanted)
      if (wanted === 204) task.space = undefined
      return said
    }

    async function changeTask(actor: string, id: number, how: 'patch' | 'complete' | 'delete') {
      const task = world.tasks.get(id)
      if (!task) throw new Error('no such task')
      const least = how === 'delete' ? 'operator' : 'member'
      const may = task.owner === actor || world.isAtLeast(actor, task.space, least)
      const isLate = how === 'complete' && task.completed
      const wanted = !world.readsTask(actor, task) ? 404 : isLate ? 409 : may ? 200 : 403
      const path = `/api/v1/tasks/${id}`
      const answer =
        how === 'patch'
          ? await send(actor, 'PATCH', path, { state: 'doing', title: `Task ${task.word} again` })
          : how === 'complete'
            ? await send(actor, 'POST', `${path}/complete`)
            : await send(actor, 'DELETE', path)
      const said = `${actor} does ${how} to ${task.word} of ${task.owner}`
      expect(answer.status, `${said}: ${answer.text}`).toBe(wanted)
      if (wanted === 200 && how === 'delete') world.tasks.delete(id)
      if (wanted === 200 && how !== 'delete') task.completed = how === 'complete'
      return said
    }

    async function recordDiscovery(author: string, space?: string): Promise<string> {
      const words = Array.from({ length: 5 }, word)
      const content = words.join(' ')
      const { isError, body } = await house.call(author, 'record_discovery', {
        type: 'decision',
        content,
        ...(space === undefined ? {} : { space }),
      })
      const may = space === undefined || world.isAtLeast(author, space, 'member')
      const said = `${author} records ${words[0]} in ${space}`
      expect(isError, `${said}: ${JSON.stringify(body)}`).toBe(!may)
      if (may) world.discoveries.push({ author, word: words[0] ?? '', content, space })
      return said
    }

    /** Every surface, as one person sees it. */
    async function check(user: string, at: string, among: Among): Promise<void> {
      const hidden = [...world.hiddenFrom(user), ...(people?.foldersOfOthers(user) ?? [])]
      const safe = (what: string, shown: unknown) => {
        const text = typeof shown === 'string' ? shown : JSON.stringify(shown)
        expect(
          hidden.filter((one) => text.includes(one)),
          `${at} sees in ${what}: ${text}`,
        ).toEqual([])
      }
      const rest = async (path: string) => {
        const answer = await send(user, 'GET', path)
        safe(path.replace(/q=.*/, ''), answer.body.groups ?? answer.text)
        return answer.body
      }
      const tool = async (name: string, args: object) => {
        const { body, whole } = await house.call(user, name, args)
        const told = ECHOING[name]?.(body) ?? whole
        safe(name, told)
        return body
      }
      const nameOf = (space?: string) => space && world.spaces.get(space)?.name
      const tasks = world.tasksOf(user).sort((a, b) => a.id - b.id)
      const shown = tasks.map(({ id, space }) => [id, nameOf(space)])
      const listed = (body: Pick<SpaceBody, 'tasks'>) =>
        body.tasks.map(({ id, space }) => [id, space]).sort(([a], [b]) => Number(a) - Number(b))

      const all = (await tool('list_tasks', {})).data
      expect(listed(all), at).toEqual(shown)
      expect(all.total, at).toBe(tasks.length)
      const open = (await tool('list_tasks', { completed: false, limit: 1 })).data
      expect(open.total, at).toBe(tasks.filter(({ completed }) => !completed).length)
      const ordered = await rest('/api/v1/tasks?sort=order')
      expect(listed(ordered), at).toEqual(shown)
      expect(ordered.total, at).toBe(tasks.length)
      const { labels } = await rest('/api/v1/tasks/facets')
      expect(labels, at).toEqual(tasks.map(({ word }) => word).sort())

      const spaces = world.spacesOf(user)
      const known = (await rest('/api/v1/spaces')).spaces
      expect(known.map(({ id, role }) => [id, role]).sort(), at).toEqual(
        spaces.map(({ id }) => [id, world.roleIn(user, id)]).sort(),
      )
      const some = among([...world.spaces.values()])
      for (const part of ['members', 'audit']) {
        const { status, text } = await send(user, 'GET', `/api/v1/spaces/${some.id}/${part}`)
        expect(status, at).toBe(spaces.includes(some) ? 200 : 404)
        if (spaces.includes(some) && part === 'members' && some.id !== EVERYBODY)
          expect(JSON.parse(text).members, at).toEqual(
            [...some.roles].map(([name, role]) => ({ user: name, role })).sort(byUser),
          )
        // The log tells what was done, and never what a text says.
        const texts = [...world.tasks.values(), ...world.discoveries, ...world.requests]
        for (const { word: said } of texts) expect(text, at).not.toContain(said)
      }

      const discoveries = world.discoveriesOf(user)
      const decisions = await rest('/api/v1/decisions?limit=100')
      const own = decisions.decisions.map((one) => [one.content, one.space])
      expect(own.sort(), at).toEqual(
        discoveries.map(({ content, space }) => [content, nameOf(space)]).sort(),
      )
      expect(decisions.total, at).toBe(discoveries.length)
      const wanted = world.discoveries.length > 0 ? among(world.discoveries) : undefined
      if (wanted) {
        const query = { query: wanted.content, limit: 20 }
        const found = await tool('context_search', query)
        const contents = found.results?.map(({ content }) => content) ?? []
        expectWhole(found, 20, `${at} looks for ${wanted.word}`)
        const ofType = await tool('context_search', { ...query, type: 'decision' })
        expectWhole(ofType, 20, `${at} looks for ${wanted.word} among decisions`)
        expect(ofType.totalFound ?? 0, at).toBeLessThanOrEqual(discoveries.length)
        expect(contents.includes(wanted.content), `${at} looks for ${wanted.word}`).toBe(
          discoveries.includes(wanted),
        )
        await tool('context_pack', { goal: wanted.content })
      }
      await people?.check({ user, at, tool, rest, safe }, among(world.requests))
      if (isTaken(among)) await people?.checkOwn({ user, at, tool, rest, safe })
      const looked = among([...world.tasks.values(), ...(wanted ? [wanted] : [])])
      const found = JSON.stringify((await rest(`/api/v1/find?q=${looked.word}`)).groups)
      expect(found.includes(looked.word), `${at} finds ${looked.word}`).toBe(
        [...tasks, ...discoveries].some(({ word: said }) => said === looked.word),
      )
      const asked = among([...world.tasks.values()])
      const { status } = await send(user, 'GET', `/api/v1/tasks/${asked.id}`)
      expect(status, at).toBe(tasks.includes(asked) ? 200 : 404)
      if (isTaken(among)) await checkSuggestions(user, at, safe)
      safe('the overview', await house.resource(user, 'context://project/overview'))
      await tool('copilot_chat_secretary_recall', {})
      const chat = { message: 'show my tasks' }
      safe('the chat', (await send(user, 'POST', '/api/v1/chat', chat)).text)
    }

    /** What is offered to somebody who begins to type. */
    async function checkSuggestions(
      user: string,
      at: string,
      safe: (what: string, shown: unknown) => void,
    ): Promise<void> {
      const prompt = await house.suggestions(user, { type: 'ref/prompt', name: 'guide' }, 'arg1')
      const uri = 'guide://{collection}/{document}'
      const names = ['collection', 'document'] as const
      const ofGuide = names.map((one) =>
        house.suggestions(user, { type: 'ref/resource', uri }, one),
      )
      for (const suggested of [prompt, ...(await Promise.all(ofGuide))]) {
        safe('suggestions', suggested)
        expect(suggested.total, at).toBeGreaterThanOrEqual(suggested.values.length)
        if (!suggested.hasMore) expect(suggested.total, at).toBe(suggested.values.length)
      }
    }
  })
})

/** What does not change with every step is looked at now and then. */
function isTaken(among: Among): boolean {
  return among([true, false, false])
}

function byUser(a: { user: string }, b: { user: string }): number {
  return a.user < b.user ? -1 : 1
}
