import { expect } from 'vitest'
import type { SpaceHouse } from './asks.ts'
import type { DocumentsOfPeople } from './documents-of-people.ts'
import type { RequestsOfPeople } from './requests-of-people.ts'
import type { seeded } from './seeded.ts'
import { EVERYBODY, type KnownRequest, type Role, type SpaceWorld } from './space-world.ts'

const ROLES: readonly Role[] = ['reader', 'member', 'operator']

interface Parts {
  readonly house: SpaceHouse
  readonly world: SpaceWorld
  readonly people: readonly string[]
  readonly requests: RequestsOfPeople
  readonly documents: DocumentsOfPeople
  readonly random: ReturnType<typeof seeded>
}

/** One random change after the other; what is answered is what the rules say, and the world keeps it. */
export class SpaceChanges {
  readonly #parts: Parts
  /** How often something was shared. */
  readonly shared = { tasks: 0, requests: 0, documents: 0 }

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** By a random person; says what was done. */
  async next(): Promise<string> {
    const { people, world, random } = this.#parts
    const { among, next } = random
    const actor = among(people)
    const space = among([...world.spaces.values()])
    const chance = next()
    if (world.spaces.size < 3 || chance < 0.05) return this.#createSpace(actor)
    if (world.tasks.size < 3 || chance < 0.2) return this.#addTask(actor)
    const part = next()
    const request = among(world.requests)
    if (this.shared.requests === 0 || part < 0.2) return this.#shareRequest(request, space.id)
    if (part < 0.26) return this.#takeRequestBack(next() < 0.7 ? request.owner : actor, request)
    if (part < 0.3) return this.#removeRequest(actor, request, space.id)
    if (this.shared.documents === 0 || part < 0.42) return this.#shareDocument(space.id)
    if (part < 0.48) return this.#takeDocumentBack(actor, space.id)
    if (chance < 0.3) return this.#recordDiscovery(actor, next() < 0.3 ? undefined : space.id)
    if (chance < 0.5) return this.#changeMember(actor, space.id, among(people), among(ROLES))
    if (chance < 0.6) return this.#changeMember(actor, space.id, among(people))
    const task = among([...world.tasks.values()])
    // Mostly by those for whom something could happen.
    const owner = next() < 0.7 ? task.owner : actor
    if (this.shared.tasks === 0) return this.#shareTask(task.owner, task.id, EVERYBODY)
    if (chance < 0.75) return this.#shareTask(owner, task.id, space.id)
    if (chance < 0.85) return this.#takeBack(owner, task.id)
    return this.#changeTask(actor, task.id, among(['patch', 'complete', 'delete'] as const))
  }

  async #shareDocument(space: string): Promise<string> {
    const { documents, world, random } = this.#parts
    const isFirst = this.shared.documents === 0
    const document = random.among(world.documents)
    // Mostly where they may.
    const own = world.spacesOf(document.owner).map(({ id }) => id)
    const chosen = random.next() < 0.7 ? random.among(own) : space
    const said = documents.share(document, isFirst ? EVERYBODY : chosen)
    if (document.spaces.size > 0) this.shared.documents++
    return said
  }

  async #takeDocumentBack(actor: string, space: string): Promise<string> {
    const { documents, house, world, random } = this.#parts
    const document = random.among(world.documents)
    const who = random.next() < 0.6 ? document.owner : actor
    const from = [...document.spaces][0] ?? space
    return documents.takeBack(house, who, document, from)
  }

  async #shareRequest(request: KnownRequest, space: string): Promise<string> {
    // At first with all, so that there is something to see.
    const isFirst = this.shared.requests === 0
    const said = this.#parts.requests.share(request, isFirst ? EVERYBODY : space)
    if (request.spaces.size > 0) this.shared.requests++
    return said
  }

  async #createSpace(user: string): Promise<string> {
    const { house, world, random } = this.#parts
    const name = `space-${random.word()}`
    const { status, body } = await house.send(user, 'POST', '/api/v1/spaces', { name })
    expect(status).toBe(201)
    world.spaces.set(body.space.id, {
      id: body.space.id,
      name,
      roles: new Map([[user, 'operator']]),
    })
    return `${user} creates ${name}`
  }

  async #changeMember(actor: string, space: string, user: string, role?: Role) {
    const { house, world } = this.#parts
    const said = `${actor} makes ${user} ${role ?? 'leave'} in ${space}`
    const wanted = world.memberChange(actor, space, user, role)
    const path = `/api/v1/spaces/${space}/members/${user}`
    const answer = await house.send(actor, role ? 'PUT' : 'DELETE', path, role && { role })
    expect(answer.status, said).toBe(wanted)
    const roles = world.spaces.get(space)?.roles
    if (wanted === 204 && role && !roles?.has(user)) {
      const joins = this.#parts.random.next() < 0.8
      const invitation = `/api/v1/invitations/${space}`
      const { status } = await house.send(user, joins ? 'POST' : 'DELETE', invitation)
      expect(status, `${said}, ${user} ${joins ? 'joins' : 'declines'}`).toBe(204)
      if (joins) roles?.set(user, role)
      return said
    }
    if (wanted === 204) role ? roles?.set(user, role) : roles?.delete(user)
    return said
  }

  async #addTask(owner: string): Promise<string> {
    const { house, world, random } = this.#parts
    const said = random.word()
    const given = { title: `Task ${said}`, description: `About ${said}`, labels: [said] }
    const { status, body } = await house.send(owner, 'POST', '/api/v1/tasks', given)
    expect(status).toBe(201)
    world.tasks.set(body.task.id, { id: body.task.id, owner, word: said, completed: false })
    return `${owner} adds ${said}`
  }

  async #shareTask(actor: string, id: number, space: string): Promise<string> {
    const { house, world } = this.#parts
    const task = world.tasks.get(id)
    if (!task) throw new Error('no such task')
    const wanted = !world.readsTask(actor, task)
      ? 404
      : !world.roleIn(actor, space)
        ? 404
        : !world.isAtLeast(actor, space, 'member') || task.owner !== actor
          ? 403
          : 200
    const answer = await house.send(actor, 'PUT', `/api/v1/tasks/${id}/space`, { space })
    const said = `${actor} shares ${task.word} of ${task.owner} with ${space}`
    expect(answer.status, said).toBe(wanted)
    if (wanted === 200) {
      task.space = space
      this.shared.tasks++
    }
    return said
  }

  async #takeRequestBack(actor: string, request: KnownRequest): Promise<string> {
    const { house } = this.#parts
    const path = `/api/v1/request-sharing/dialogs/${request.sessionId}`
    const may = request.owner === actor && request.spaces.size > 0
    const { status, text } = await house.send(actor, 'DELETE', path)
    const said = `${actor} takes ${request.sessionId} back`
    expect(status, `${said}: ${text}`).toBe(may ? 204 : 404)
    if (may) request.spaces.clear()
    return said
  }

  async #removeRequest(actor: string, request: KnownRequest, space: string) {
    const { house, world } = this.#parts
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
    const { status, text } = await house.send(actor, 'DELETE', path)
    const said = `${actor} removes ${sessionId} from ${space}`
    expect(status, `${said}: ${text}`).toBe(wanted)
    if (wanted === 204) spaces.delete(space)
    return said
  }

  async #takeBack(actor: string, id: number): Promise<string> {
    const { house, world } = this.#parts
    const task = world.tasks.get(id)
    if (!task) throw new Error('no such task')
    const may = task.owner === actor || world.isAtLeast(actor, task.space, 'operator')
    const wanted = !world.readsTask(actor, task) ? 404 : may ? 204 : 403
    const answer = await house.send(actor, 'DELETE', `/api/v1/tasks/${id}/space`)
    const said = `${actor} takes ${task.word} of ${task.owner} back`
    expect(answer.status, said).toBe(wanted)
    if (wanted === 204) task.space = undefined
    return said
  }

  async #changeTask(actor: string, id: number, how: 'patch' | 'complete' | 'delete') {
    const { house, world } = this.#parts
    const task = world.tasks.get(id)
    if (!task) throw new Error('no such task')
    const least = how === 'delete' ? 'operator' : 'member'
    const may = task.owner === actor || world.isAtLeast(actor, task.space, least)
    const isLate = how === 'complete' && task.completed
    const wanted = !world.readsTask(actor, task) ? 404 : isLate ? 409 : may ? 200 : 403
    const path = `/api/v1/tasks/${id}`
    const answer =
      how === 'patch'
        ? await house.send(actor, 'PATCH', path, {
            state: 'doing',
            title: `Task ${task.word} again`,
          })
        : how === 'complete'
          ? await house.send(actor, 'POST', `${path}/complete`)
          : await house.send(actor, 'DELETE', path)
    const said = `${actor} does ${how} to ${task.word} of ${task.owner}`
    expect(answer.status, `${said}: ${answer.text}`).toBe(wanted)
    if (wanted === 200 && how === 'delete') world.tasks.delete(id)
    if (wanted === 200 && how !== 'delete') task.completed = how === 'complete'
    return said
  }

  async #recordDiscovery(author: string, space?: string): Promise<string> {
    const { house, world, random } = this.#parts
    const words = Array.from({ length: 5 }, random.word)
    const content = words.join(' ')
    const { isError, body } = await house.attempt(author, 'record_discovery', {
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
}
