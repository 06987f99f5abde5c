import { expect } from 'vitest'
import type { Asks } from './asks.ts'
import type { Among } from './space-surfaces.ts'
import type { SpaceWorld } from './space-world.ts'

/** Whatever the API lists without being asked for anything in particular. */
const PATHS = [
  '/api/v1/stats',
  '/api/v1/figures?by=tool&since=2020-01-01',
  '/api/v1/figures?by=project&since=2020-01-01',
  '/api/v1/dialogs',
  '/api/v1/dialogs/days?since=2020-01-01',
  '/api/v1/dialogs/recall',
  '/api/v1/today?since=0',
  '/api/v1/task-requests',
  '/api/v1/conversations',
  '/api/v1/guide/received',
  '/api/v1/guide/trust',
  '/api/v1/tools',
  '/api/v1/setup',
  '/metrics',
  '/metrics?replica=all',
]
const TOOLS = [
  'copilot_chat_secretary_list_dialogs',
  'guide_category_list',
  'guide_collection_list',
  'guide_get_project',
  'guide_list_profiles',
  'guide_list_projects',
  'guide_list_project_flags',
  'guide_list_feature_flags',
]
const COMMANDS = [
  ['tasks', 'list'],
  ['discoveries'],
  ['team', 'list'],
  ['dialogs', 'list'],
  ['dialogs', 'shared'],
  ['guide', 'show', 'spaces'],
  ['guide', 'list'],
  ['recall'],
  ['stats'],
]

/** Each has chats of their own. */
export class OtherSurfaces {
  readonly #world: SpaceWorld
  readonly #chats = new Map<string, string>()
  readonly #events = new Map<string, () => string>()

  constructor(world: SpaceWorld) {
    this.#world = world
  }

  /** A page that stays open. */
  async follow(house: Asks['house'], people: readonly string[]): Promise<void> {
    for (const user of people) this.#events.set(user, await house.events(user))
  }

  async check(asks: Asks, among: Among): Promise<void> {
    const { user, at, house, safe, tool, rest } = asks
    safe('the overview', await house.resource(user, 'context://project/overview'))
    await tool('copilot_chat_secretary_recall', {})
    await rest(among(PATHS))
    await tool(among(TOOLS), {})
    const command = among(COMMANDS)
    if (among([true, false, false, false]))
      safe(`secretary ${command.join(' ')}`, house.secretary(user, ...command))
    // What is told to a page are kinds and names of tools, never anybody's words.
    const told = this.#events.get(user)?.() ?? ''
    for (const word of this.#world.words) expect(told, at).not.toContain(word)
    safe('events', told)
    await this.#checkCalls(asks)
    await this.#checkChats(asks)
  }

  /** Of their own calls people see what they asked and were told; of others' calls an operator sees that they were made. */
  async #checkCalls({ user, at, house, safe }: Asks): Promise<void> {
    const { body } = await house.send(user, 'GET', '/api/v1/calls?limit=500')
    const others = body.calls.filter((call) => call.user !== user)
    safe('calls of others', others)
    for (const word of this.#world.words)
      expect(JSON.stringify(others), `${at} sees calls`).not.toContain(word)
  }

  async #checkChats({ user, at, house, safe, rest }: Asks): Promise<void> {
    const chat = { message: 'show my tasks' }
    safe('the chat', (await house.send(user, 'POST', '/api/v1/chat', chat)).text)
    const { conversations } = await rest('/api/v1/conversations')
    for (const { id } of conversations) this.#chats.set(id, user)
    const [id] = [...this.#chats].find(([, owner]) => owner !== user) ?? []
    if (id === undefined) return
    const { status } = await house.send(user, 'GET', `/api/v1/conversations/${id}`)
    expect(status, `${at} reads a chat of ${this.#chats.get(id)}`).toBe(403)
    expect(
      conversations.map((one) => one.id),
      at,
    ).not.toContain(id)
  }
}
