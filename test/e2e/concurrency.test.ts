import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { engines, freshPostgres } from '../support/engines.ts'
import {
  type Connection,
  connectStdio,
  connectToUrl,
  startHttpServer,
} from '../support/mcp-client.ts'
import { runPostgres } from '../support/postgres-server.ts'

const titles = async (connection: Connection): Promise<string[]> => {
  const found: string[] = []
  for (let offset = 0; ; offset += 100) {
    const { data } = (await connection.call('list_tasks', { offset })).body as {
      data: { tasks: { title: string }[]; total: number }
    }
    found.push(...data.tasks.map(({ title }) => title))
    if (found.length >= data.total || data.tasks.length === 0) return found
  }
}

describe.each(engines)('many processes on one $name database', (engine) => {
  it('lose nothing when four write at once', async () => {
    const env = await engine.fresh()
    const writers = await Promise.all(Array.from({ length: 4 }, () => connectStdio({ env })))
    await Promise.all(
      writers.flatMap((writer, w) =>
        Array.from({ length: 50 }, (_, i) => writer.call('add_task', { title: `w${w} t${i}` })),
      ),
    )
    const [first] = writers
    if (!first) throw new Error('no writer')
    expect(new Set(await titles(first)).size).toBe(200)
    await Promise.all(writers.map((writer) => writer.close()))
  })

  it('all start on a database that none has seen before', async () => {
    const env = await engine.fresh()
    const starters = await Promise.all(Array.from({ length: 8 }, () => connectStdio({ env })))
    const added = await Promise.all(
      starters.map((starter, i) => starter.call('add_task', { title: `s${i}` })),
    )
    expect(added.map(({ body }) => body.success)).toEqual(Array.from({ length: 8 }, () => true))
    await Promise.all(starters.map((starter) => starter.close()))
  })

  it('lose nothing acknowledged when the server is killed in mid-write', async () => {
    const env = await engine.fresh()
    const server = await startHttpServer({ env })
    const client = await connectToUrl(server.url)
    const acknowledged: string[] = []
    const writing = Array.from({ length: 60 }, async (_, i) => {
      const { body } = await client.call('add_task', { title: `k${i}` })
      if (body.success) acknowledged.push(`k${i}`)
      if (acknowledged.length === 20) server.child.kill('SIGKILL')
    })
    const settled = Promise.allSettled(writing)
    if (server.child.signalCode === null) await once(server.child, 'exit')
    await client.close()
    await settled
    const after = await connectStdio({ env })
    expect(acknowledged.length).toBeGreaterThanOrEqual(20)
    expect(await titles(after)).toEqual(expect.arrayContaining(acknowledged))
    await after.close()
  })
})

it('a PostgreSQL restarted in mid-load costs some calls a clear error, nothing acknowledged, and not the server', async () => {
  const postgres = await runPostgres()
  const connection = await connectStdio({
    env: { SECRETARY_DATABASE_URL: await freshPostgres(postgres.url) },
  })
  const acknowledged: string[] = []
  const errors = new Set<unknown>()
  let going = true
  // Paced, so that a server that comes back slowly still finds the load going on.
  const load = (async () => {
    for (let i = 0; going && i < 20_000; i++) {
      const { body } = await connection.attempt('add_task', { title: `r${i}` })
      if (body.success) acknowledged.push(`r${i}`)
      else errors.add(body.error)
      await new Promise((later) => setTimeout(later, body.success ? 5 : 20))
    }
  })()
  while (acknowledged.length < 20) await new Promise((later) => setTimeout(later, 10))
  await postgres.restart()
  const sofar = acknowledged.length
  while (acknowledged.length < sofar + 20) await new Promise((later) => setTimeout(later, 10))
  going = false
  await load
  expect(
    [...errors].every((error) => error === 'The database cannot be reached; try again in a moment'),
  ).toBe(true)
  expect(await titles(connection)).toEqual(expect.arrayContaining(acknowledged))
  await connection.close()
  await postgres.stop()
})
