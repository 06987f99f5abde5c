import { expect } from 'vitest'
import type { Asks } from './asks.ts'
import { expectWhole } from './requests-of-people.ts'
import type { seeded } from './seeded.ts'
import type { SpaceBody } from './space-house.ts'
import { EVERYBODY, type SpaceWorld } from './space-world.ts'

export type Among = ReturnType<typeof seeded>['among']

/** Lists, counts and searches of tasks, discoveries and spaces, as one person sees them. */
export async function checkLists(asks: Asks, world: SpaceWorld, among: Among): Promise<void> {
  const { user, at, house, tool, rest } = asks
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
  const asked = among([...world.tasks.values()])
  const { status } = await house.send(user, 'GET', `/api/v1/tasks/${asked.id}`)
  expect(status, at).toBe(tasks.includes(asked) ? 200 : 404)

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
  const looked = among([...world.tasks.values(), ...(wanted ? [wanted] : [])])
  const found = JSON.stringify((await rest(`/api/v1/find?q=${looked.word}`)).groups)
  expect(found.includes(looked.word), `${at} finds ${looked.word}`).toBe(
    [...tasks, ...discoveries].some(({ word: said }) => said === looked.word),
  )
}

/** Which spaces there are, who belongs to them, and what their logs tell. */
export async function checkSpaces(
  { user, at, house, rest }: Asks,
  world: SpaceWorld,
  among: Among,
): Promise<void> {
  const spaces = world.spacesOf(user)
  const known = (await rest('/api/v1/spaces')).spaces
  expect(known.map(({ id, role }) => [id, role]).sort(), at).toEqual(
    spaces.map(({ id }) => [id, world.roleIn(user, id)]).sort(),
  )
  const some = among([...world.spaces.values()])
  for (const part of ['members', 'audit']) {
    const { status, text } = await house.send(user, 'GET', `/api/v1/spaces/${some.id}/${part}`)
    expect(status, at).toBe(spaces.includes(some) ? 200 : 404)
    if (spaces.includes(some) && part === 'members' && some.id !== EVERYBODY)
      expect(JSON.parse(text).members, at).toEqual(
        [...some.roles].map(([name, role]) => ({ user: name, role })).sort(byUser),
      )
    // The log tells what was done, and never what a text says.
    for (const said of world.words) expect(text, at).not.toContain(said)
  }
}

/** What is offered to somebody who begins to type. */
export async function checkSuggestions({ user, at, house, safe }: Asks): Promise<void> {
  const prompt = await house.suggestions(user, { type: 'ref/prompt', name: 'guide' }, 'arg1')
  const uri = 'guide://{collection}/{document}'
  const names = ['collection', 'document'] as const
  const ofGuide = names.map((one) => house.suggestions(user, { type: 'ref/resource', uri }, one))
  for (const suggested of [prompt, ...(await Promise.all(ofGuide))]) {
    safe('suggestions', suggested)
    expect(suggested.total, at).toBeGreaterThanOrEqual(suggested.values.length)
    if (!suggested.hasMore) expect(suggested.total, at).toBe(suggested.values.length)
  }
}

function byUser(a: { user: string }, b: { user: string }): number {
  return a.user < b.user ? -1 : 1
}
