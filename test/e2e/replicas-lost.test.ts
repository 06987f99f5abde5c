import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { freshPostgres } from '../support/engines.ts'
import { connectToUrl, type HttpServer, startHttpServer } from '../support/mcp-client.ts'
import { startRoundRobin } from '../support/replicas.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const CLIENTS = 4
const TASKS = 25
const MAX_TRIES = 5

it('servers killed in turn under load lose nothing that was acknowledged', async () => {
  const database = await freshPostgres()
  const start = (name: string) =>
    startHttpServer({
      env: {
        SECRETARY_DATABASE_URL: database,
        SECRETARY_HOME: join(temporaryFolder(), 'home'),
        SECRETARY_REPLICA: name,
        SECRETARY_AUTH: 'off',
        SECRETARY_RATE_LIMITS: 'off',
      },
    })
  const servers: HttpServer[] = await Promise.all([start('one'), start('two')])
  const proxy = await startRoundRobin(() => servers.map(({ url }) => url))
  const acknowledged: string[] = []
  let mostTries = 0

  async function work(worker: number): Promise<void> {
    const connection = await connectToUrl(proxy.url)
    for (let n = 0; n < TASKS; n++) {
      const title = `task ${worker}-${n}`
      for (let tries = 1; ; tries++) {
        mostTries = Math.max(mostTries, tries)
        const added = await connection.call('add_task', { title }).catch(() => undefined)
        if (added?.body.success === true) break
        if (tries === MAX_TRIES) throw new Error(`${title} was refused ${tries} times`)
      }
      acknowledged.push(title)
    }
    await connection.close()
  }

  const working = Promise.all(Array.from({ length: CLIENTS }, (_, worker) => work(worker)))
  for (const place of [0, 1]) {
    const seen = acknowledged.length
    await expect.poll(() => acknowledged.length).toBeGreaterThan(Math.min(seen + 8, 60))
    const victim = servers[place]
    victim?.child.kill('SIGKILL')
    if (victim) await once(victim.child, 'exit')
    servers[place] = await start(`again ${place}`)
  }
  await working
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const { rows } = await client.query<{ title: string }>('select title from tasks')
  await client.end()
  const titles = new Set(rows.map(({ title }) => title))
  expect(acknowledged).toHaveLength(CLIENTS * TASKS)
  expect(acknowledged.filter((title) => !titles.has(title))).toEqual([])
  // The first try, and another for each of the two servers that were killed.
  expect(mostTries).toBeLessThanOrEqual(3)
  await proxy.stop()
  await Promise.all(servers.map((server) => server.stop()))
})

it('a server that is told to stop finishes what it has begun, and says first that it goes', async () => {
  const server = await startHttpServer({
    env: { SECRETARY_AUTH: 'off', SECRETARY_DRAIN_SECONDS: '2' },
  })
  const connection = await connectToUrl(server.url)
  await connection.call('add_task', { title: 'first' })
  const ended = once(server.child, 'exit')
  server.child.kill('SIGTERM')
  const ready = async () => (await fetch(`${server.url}/health/ready`)).status
  await expect.poll(ready, { interval: 20 }).toBe(503)
  const last = await connection.call('add_task', { title: 'taken while it goes' })
  expect(last.body.success).toBe(true)
  const [code] = await ended
  expect(code).toBe(0)
  await connection.close()
})
