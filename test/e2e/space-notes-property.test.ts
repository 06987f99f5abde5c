import { silentLog } from '@secretary-mcp/core/log.ts'
import type { SearchRequest } from '@secretary-mcp/search/search-types.ts'
import type { SpaceNote } from '@secretary-mcp/secretary/context/space-notes/space-notes.ts'
import { Spaces } from '@secretary-mcp/secretary/spaces/spaces.ts'
import { createSpaceStore } from '@secretary-mcp/secretary/spaces/store/space-store.ts'
import { openDatabase } from '@secretary-mcp/secretary/storage/open-database.ts'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshPostgres } from '../support/engines.ts'
import { changeAndJoin } from '../support/join-space.ts'
import { programsWithVectors } from '../support/pgvector.ts'
import { runPostgres } from '../support/postgres-server.ts'
import { seeded } from '../support/seeded.ts'
import { spaceNotesIn } from '../support/space-note-house.ts'
import { type Role, SpaceWorld } from '../support/space-world.ts'

const PEOPLE = ['ada', 'bob', 'cyd', 'eve'] as const
const ROLES: readonly Role[] = ['reader', 'member', 'operator']
const PROJECTS = ['git.example.com/team/shop', 'git.example.com/team/bakery']
const SUBJECTS = ['prices', 'invoices', 'bread', 'sessions', 'tokens', 'dates']
const VERBS = ['are stored', 'are never shown', 'are rounded', 'expire', 'are sorted']
const STEPS = 60
const SEED = Number(process.env.SECRETARY_SEED ?? 7)

/** Each with how many notes of a caller are compared one by one; with pgvector none are, so that its index is always asked. */
const servers = [
  { name: 'without pgvector', start: async () => freshPostgres(), mostScanned: undefined },
  {
    name: 'with pgvector',
    start: async () => {
      const server = await runPostgres(undefined, programsWithVectors())
      onTestFinished(() => server.stop())
      const url = await freshPostgres(server.url)
      await preferIndexes(url)
      return url
    },
    mostScanned: -1,
  },
]

interface Known extends SpaceNote {
  /** A word that is nowhere else. */
  readonly word: string
}

describe.each(servers)('notes of random spaces in PostgreSQL $name', ({ start, mostScanned }) => {
  it(`are found by all who may read them, and by nobody else (seed ${SEED})`, async () => {
    const { next, among, word } = seeded(SEED)
    const databaseUrl = await start()
    const database = openDatabase({ home: '/nowhere', databaseUrl }, silentLog)
    onTestFinished(() => database.close())
    const spaces = new Spaces(createSpaceStore(database))
    const { notes } = spaceNotesIn(database, mostScanned)
    const world = new SpaceWorld([])
    const known = new Map<string, Known>()
    let found = 0

    for (let step = 0; step < STEPS; step++) {
      const done = await change()
      for (const user of PEOPLE) await check(user, `step ${step}: ${done}; ${user}`)
    }
    expect(found).toBeGreaterThan(10)

    async function change(): Promise<string> {
      const chance = next()
      const actor = among(PEOPLE)
      const space = among([...world.spaces.values()])
      if (world.spaces.size < 4) return createSpace(actor)
      if (known.size < 8 || chance < 0.5) return putNotes(actor, space.id)
      if (chance < 0.6) return removeNote(among([...known.values()]))
      const role = chance < 0.8 ? among(ROLES) : undefined
      return changeMember(actor, space.id, among(PEOPLE), role)
    }

    async function createSpace(user: string): Promise<string> {
      const { id, name } = await spaces.create({ user }, `space-${word()}`)
      world.spaces.set(id, { id, name, roles: new Map([[user, 'operator']]) })
      return `${user} creates ${name}`
    }

    async function changeMember(actor: string, space: string, user: string, role?: Role) {
      const may = world.memberChange(actor, space, user, role) === 204
      const changing = changeAndJoin(spaces, { user: actor }, space, { user, role })
      await (may ? changing : expect(changing).rejects.toThrow())
      const roles = world.spaces.get(space)?.roles
      if (may) role ? roles?.set(user, role) : roles?.delete(user)
      return `${actor} makes ${user} ${role ?? 'leave'} in ${space}`
    }

    /** The same words in several spaces: only where a note is stored tells who may read it. */
    async function putNotes(author: string, space: string): Promise<string> {
      const said = word()
      const source = among(['discovery', 'session'] as const)
      const note: Known = {
        id: known.size > 0 && next() < 0.2 ? among([...known.values()]).id : word(),
        content: `${among(SUBJECTS)} ${among(VERBS)} ${said}`,
        date: new Date(Date.UTC(2026, 0, 1)).toISOString(),
        project: among(PROJECTS),
        ...(source === 'discovery' ? { type: 'decision' as const } : {}),
        ...{ source, space, author, word: said },
      }
      await notes.put([note])
      known.set(keyOf(note), note)
      return `${author} puts ${said} into ${space}`
    }

    async function removeNote(note: Known): Promise<string> {
      await notes.remove(note.space, note.source, [note.id])
      known.delete(keyOf(note))
      return `${note.word} is removed`
    }

    async function check(user: string, at: string): Promise<void> {
      if (known.size === 0) return
      const project = among(PROJECTS)
      const wanted = among([...known.values()])
      const narrowed: Partial<SearchRequest> = among([
        {},
        { sources: ['session'] },
        { byWords: true },
      ])
      // Every space is named, those that the person may not read as well.
      const all = [...world.spaces.keys()]
      const request = { query: among([wanted.content, among(SUBJECTS)]), ...narrowed }
      const { candidates } = await notes.find({ user, project }, all, request)
      const readable = [...known.values()].filter(
        (note) => note.project === project && world.isAtLeast(user, note.space, 'reader'),
      )
      const contents = candidates.map(({ note }) => note.content)
      const allowed = readable.map(({ content }) => content)
      expect(
        contents.filter((content) => !allowed.includes(content)),
        at,
      ).toEqual([])
      expect(contents.length, at).toBeLessThanOrEqual(readable.length)
      if (request.query !== wanted.content || narrowed.sources) return
      expect(contents.includes(wanted.content), `${at} looks for ${wanted.word}`).toBe(
        readable.includes(wanted),
      )
      found += Number(readable.includes(wanted))
      const outside = world.spacesOf(user).map(({ id }) => id)
      const own = await notes.find({ user, project }, outside, request)
      expect(own.candidates.map(({ note }) => note.id).sort(), at).toEqual(
        candidates.map(({ note }) => note.id).sort(),
      )
    }
  })
})

/** So few rows would be read one by one otherwise. */
async function preferIndexes(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const name = new URL(url).pathname.slice(1)
  for (const way of ['enable_sort', 'enable_seqscan', 'jit'])
    await client.query(`alter database ${name} set ${way} = off`)
  await client.end()
}

function keyOf({ space, source, id }: SpaceNote): string {
  return [space, source, id].join('\0')
}
