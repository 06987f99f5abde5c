import { describe, expect, it, onTestFinished } from 'vitest'
import { asksAs } from '../support/asks.ts'
import { startCollector } from '../support/collector.ts'
import { DocumentsOfPeople } from '../support/documents-of-people.ts'
import { engines } from '../support/engines.ts'
import { OtherSurfaces } from '../support/other-surfaces.ts'
import { RequestsOfPeople } from '../support/requests-of-people.ts'
import { seeded } from '../support/seeded.ts'
import { SpaceChanges } from '../support/space-changes.ts'
import { openSpaceHouse } from '../support/space-house.ts'
import { type Among, checkLists, checkSpaces, checkSuggestions } from '../support/space-surfaces.ts'
import { SpaceWorld } from '../support/space-world.ts'

const PEOPLE = ['ada', 'bob', 'cyd', 'eve', 'grace'] as const
const SERVER_OPERATOR = 'grace'
/** One of them, whose machine has the servers' name, and on SQLite everybody's folder. */
const SERVER_OWNER = 'ada'
const STEPS = Number(process.env.SECRETARY_STEPS ?? 40)
/** Only for what hangs. */
const MAX_MS = 900_000
const SEED = Number(process.env.SECRETARY_SEED ?? 7)

describe.each(engines)('over random people, spaces, roles and shares on $name', (engine) => {
  it(`nobody sees what is not theirs, and all find what is (seed ${SEED})`, {
    timeout: MAX_MS,
  }, async () => {
    const random = seeded(SEED)
    const world = new SpaceWorld([SERVER_OPERATOR])
    const collector = await startCollector()
    onTestFinished(() => {
      collector.server.close()
    })
    let people: { requests: RequestsOfPeople; documents: DocumentsOfPeople } | undefined
    const roles = { owner: SERVER_OWNER, operator: SERVER_OPERATOR }
    const furnish = (env: Readonly<Record<string, string>>) => {
      const isOneFile = engine.name === 'sqlite'
      const servers = { env, owner: SERVER_OWNER, isOneFile }
      people = {
        requests: new RequestsOfPeople(world, PEOPLE, random.word, servers),
        documents: new DocumentsOfPeople(world, PEOPLE, random.word, env),
      }
    }
    const house = await openSpaceHouse(engine, PEOPLE, roles, furnish, collector.env)
    if (!people) throw new Error('nobody has a machine')
    const { requests, documents } = people
    const changes = new SpaceChanges({ house, world, people: PEOPLE, random, ...people })
    const others = new OtherSurfaces(world)
    try {
      await others.follow(house, PEOPLE)
      for (let step = 0; step < STEPS; step++) {
        const done = await changes.next()
        if (world.tasks.size < 3) continue
        await Promise.all(
          PEOPLE.map((user, place) =>
            // Of their own, since they run side by side: the same seed gives the same run.
            check(user, `step ${step}: ${done}; ${user}`, seeded(SEED + step * 1000 + place).among),
          ),
        )
      }
    } finally {
      await house.close()
    }
    expect(changes.shared.tasks).toBeGreaterThan(0)
    expect(changes.shared.requests).toBeGreaterThan(2)
    expect(changes.shared.documents).toBeGreaterThan(2)
    expect(world.spaces.size).toBeGreaterThan(2)
    const sent = collector.taken.map(({ body }) => body).join()
    expect(sent).toContain('list_tasks')
    const names = [...world.spaces.values()].map(({ name }) => name).slice(1)
    expect([...world.words, ...names].filter((one) => sent.includes(one))).toEqual([])

    /** Every surface, as one person sees it. */
    async function check(user: string, at: string, among: Among): Promise<void> {
      const hidden = [...world.hiddenFrom(user), ...requests.foldersOfOthers(user)]
      const asks = asksAs(house, { user, at, hidden })
      await checkLists(asks, world, among)
      await checkSpaces(asks, world, among)
      await requests.check(asks, among(world.requests))
      if (isTaken(among)) await requests.checkOwn(asks)
      await documents.check(asks, among(world.documents), among([...world.spaces.keys()]))
      if (isTaken(among)) await checkSuggestions(asks)
      await others.check(asks, among)
    }
  })
})

/** What does not change with every step is looked at now and then. */
function isTaken(among: Among): boolean {
  return among([true, false, false])
}
