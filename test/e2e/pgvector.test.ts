import { silentLog } from '@secretary-mcp/core/log.ts'
import { openDatabase } from '@secretary-mcp/secretary/storage/open-database.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshPostgres } from '../support/engines.ts'
import { programsWithVectors } from '../support/pgvector.ts'
import { type PostgresServer, runPostgres } from '../support/postgres-server.ts'
import { spaceNotesIn } from '../support/space-note-house.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await runPostgres(undefined, programsWithVectors())
})
afterAll(() => server.stop())

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

async function hasIndex(url: string): Promise<boolean> {
  const [found] = await query<{ name: string | null }>(
    url,
    "select to_regclass('shared_notes_by_signs') as name",
  )
  return found?.name !== null
}

async function opened(databaseUrl: string) {
  const database = openDatabase({ home: '/nowhere', databaseUrl }, silentLog)
  await database.use(async () => {})
  return database
}

const NOTE = {
  id: '1',
  source: 'discovery',
  type: 'decision',
  content: 'Prices are stored in cents',
  date: '2026-01-05T10:00:00.000Z',
  space: 'everybody',
  project: 'git.example.com/team/shop',
  author: 'ada',
} as const

it('a server that may use pgvector gets its index, and finds by it', async () => {
  const url = await freshPostgres(server.url)
  const database = await opened(url)
  expect(await hasIndex(url)).toBe(true)
  const { notes } = spaceNotesIn(database, -1)
  await notes.put([NOTE])
  const caller = { user: 'bob', project: NOTE.project }
  const { candidates } = await notes.find(caller, ['everybody'], { query: 'money amounts' })
  expect(candidates).toMatchObject([{ note: { id: '1' }, words: undefined }])
  await database.close()
})

it('a role that may not install extensions starts without it, and finds all the same', async () => {
  const url = new URL(await freshPostgres(server.url))
  const name = url.pathname.slice(1)
  await query(server.url, `create role r_${name} login`)
  await query(server.url, `alter database ${name} owner to r_${name}`)
  url.username = `r_${name}`
  const database = await opened(url.href)
  expect(await hasIndex(url.href)).toBe(false)
  const { notes } = spaceNotesIn(database, -1)
  await notes.put([NOTE])
  const caller = { user: 'bob', project: NOTE.project }
  const { candidates } = await notes.find(caller, ['everybody'], { query: 'money amounts' })
  expect(candidates).toMatchObject([{ note: { id: '1' } }])
  await database.close()
})

it('an index that an operator makes later is used by the next server', async () => {
  const url = await freshPostgres(server.url)
  const before = await opened(url)
  await query(url, 'drop index shared_notes_by_signs')
  const { notes } = spaceNotesIn(before, -1)
  await notes.put([NOTE])
  await query(
    url,
    'create index concurrently shared_notes_by_signs on shared_notes using hnsw (signs bit_hamming_ops)',
  )
  const { notes: later } = spaceNotesIn(before, -1)
  const caller = { user: 'bob', project: NOTE.project }
  const { candidates } = await later.find(caller, ['everybody'], { query: 'prices' })
  expect(candidates).toMatchObject([{ note: { id: '1' } }])
  await before.close()
})
