import { kill } from 'node:process'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { freshPostgres } from '../support/engines.ts'
import { connectToUrl } from '../support/mcp-client.ts'
import { startPooler } from '../support/pooler.ts'
import { runPostgres } from '../support/postgres-server.ts'
import { startReplicas } from '../support/replicas.ts'
import { switchedAddress } from '../support/switched-address.ts'

it('servers behind a pooler in transaction mode work as without one', async () => {
  const database = await freshPostgres()
  const pooler = await startPooler(database)
  const replicas = await startReplicas(2, {
    SECRETARY_DATABASE_URL: pooler.url,
    SECRETARY_DATABASE_DIRECT_URL: database,
  })
  const [one, other] = await Promise.all(replicas.servers.map(({ url }) => connectToUrl(url)))
  if (!one || !other) throw new Error('two servers were started')
  const titles = Array.from({ length: 40 }, (_, n) => `task ${n}`)
  const added = await Promise.all(
    titles.map((title, n) => (n % 2 ? one : other).call('add_task', { title })),
  )
  expect(added.map(({ body }) => body.success)).toEqual(titles.map(() => true))
  const { body } = await one.call('list_tasks')
  expect((body.data as { total: number }).total).toBe(titles.length)
  const document = { path: 'team/pooled.md', content: 'Pooled.', consent: 'CREATE_DOCUMENT' }
  await one.call('guide_create_document', document)
  const read = await other.call('guide_read_resource', { uri: 'guide://team/pooled.md' })
  expect(JSON.stringify(read.body)).toContain('Pooled.')
  await Promise.all([one.close(), other.close()])
  await replicas.stop()
  await pooler.stop()
})

it('a primary that dies under load costs nothing acknowledged, and the servers go on with the standby', async () => {
  const primary = await runPostgres()
  onTestFinished(() => primary.stop())
  await primary.end()
  const standby = await runPostgres(primary)
  onTestFinished(() => standby.stop())
  await primary.start(['synchronous_standby_names=*'])
  const address = await switchedAddress(primary.url)
  const replicas = await startReplicas(2, { SECRETARY_DATABASE_URL: address.url })
  const client = await connectToUrl(replicas.url)
  const acknowledged: string[] = []
  const add = async (title: string) => {
    const taken = async () =>
      (await client.call('add_task', { title }).catch(() => undefined))?.body.success
    await expect.poll(taken).toBe(true)
    acknowledged.push(title)
  }
  const working = (async () => {
    for (let n = 0; n < 60; n++) await add(`task ${n}`)
  })()
  await expect.poll(() => acknowledged.length).toBeGreaterThan(15)
  const pid = primary.pid()
  if (pid) kill(pid, 'SIGKILL')
  const promoted = new pg.Client({ connectionString: standby.url })
  await promoted.connect()
  await promoted.query('select pg_promote()')
  address.leadTo(standby.url)
  await working
  const { rows } = await promoted.query<{ title: string }>('select title from tasks')
  await promoted.end()
  const titles = new Set(rows.map(({ title }) => title))
  expect(acknowledged).toHaveLength(60)
  expect(acknowledged.filter((title) => !titles.has(title))).toEqual([])
  await client.close()
  await replicas.stop()
  await address.close()
})
