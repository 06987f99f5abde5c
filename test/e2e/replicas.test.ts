import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshPostgres } from '../support/engines.ts'
import { type Connection, connectToUrl, startHttpServer } from '../support/mcp-client.ts'
import { type Replicas, startReplicas } from '../support/replicas.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

function makeProject(): string {
  const project = join(temporaryFolder(), 'shop')
  mkdirSync(project)
  writeFileSync(join(project, 'price.ts'), 'export const price = (cents: number) => cents / 100\n')
  return project
}

describe('two servers on one database', () => {
  let replicas: Replicas
  let one: Connection
  let other: Connection
  let database: string
  const urls = () => replicas.servers.map(({ url }) => url) as [string, string]

  beforeAll(async () => {
    database = await freshPostgres()
    replicas = await startReplicas(2, {
      SECRETARY_DATABASE_URL: database,
      SECRETARY_PROJECT: makeProject(),
    })
    one = await connectToUrl(urls()[0])
    other = await connectToUrl(urls()[1])
  })
  afterAll(async () => {
    await one.close()
    await other.close()
    await replicas.stop()
  })

  it('count the calls of a minute together', async () => {
    const refused = async (connection: Connection) =>
      (await connection.attempt('grep_codebase', { pattern: 'price' })).result.isError === true
    const results: boolean[] = []
    for (let n = 0; n < 62; n++) results.push(await refused(n % 2 === 0 ? one : other))
    expect(results.filter((isRefused) => !isRefused)).toHaveLength(60)
    expect(results.slice(-2)).toEqual([true, true])
  })

  it('have the same documents, whichever wrote them', async () => {
    const path = 'team/style.md'
    const write = { path, content: 'Short sentences.', consent: 'CREATE_DOCUMENT' }
    const created = await one.call('guide_create_document', write)
    expect(created.body).toMatchObject({ success: true })
    const read = async (connection: Connection) => {
      const { body } = await connection.attempt('guide_read_resource', { uri: `guide://${path}` })
      return JSON.stringify(body)
    }
    expect(await read(other)).toContain('Short sentences.')
    const again = await other.attempt('guide_create_document', write)
    expect(again.body).toMatchObject({ success: false, error_type: 'already_exists' })
    const changed = { path, content: 'Shorter sentences.', consent: 'UPDATE_DOCUMENT' }
    expect((await other.call('guide_update_document', changed)).body).toMatchObject({
      success: true,
    })
    expect(await read(one)).toContain('Shorter sentences.')
    await one.call('guide_remove_document', { path, consent: 'REMOVE_DOCUMENT' })
    expect(await read(other)).not.toContain('Shorter sentences.')
  })

  it('find what was learned through the other', async () => {
    const content = 'The cash register rounds every price to five cents'
    await one.call('record_discovery', { type: 'rule', content })
    const { body } = await other.call('context_search', { query: 'cash register rounds price' })
    expect(JSON.stringify(body.results)).toContain(content)
  })

  it('tell their clients of each other’s changes', async () => {
    const client = new Client(
      { name: 'tester', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    )
    let lists = 0
    const updated: string[] = []
    client.setNotificationHandler('notifications/resources/list_changed', () => {
      lists++
    })
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params.uri)
    })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${urls()[1]}/mcp`)))
    const uri = 'guide://team/heard.md'
    const heard = await client.listen({ resourcesListChanged: true, resourceSubscriptions: [uri] })
    const write = { path: 'team/heard.md', content: 'Heard.', consent: 'CREATE_DOCUMENT' }
    await one.call('guide_create_document', write)
    await expect.poll(() => lists).toBeGreaterThan(0)
    updated.length = 0
    const change = { ...write, content: 'Heard again.', consent: 'UPDATE_DOCUMENT' }
    expect((await one.call('guide_update_document', change)).body).toMatchObject({ success: true })
    await expect.poll(() => updated).toContain(uri)
    await heard.close()
    await client.close()
  })

  it('tell an open page of a chat that the other one answered', async () => {
    const events = await fetch(`${urls()[1]}/api/v1/events`)
    const said = textUntil(events, 'event: chat')
    const chat = await fetch(`${urls()[0]}/api/v1/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'list my tasks' }),
    })
    expect(chat.status).toBe(200)
    expect(await said).toContain('event: chat')
  })

  it('go on with a chat that waits for a yes on the other', async () => {
    const chat = async (url: string, message: string, conversation?: string) => {
      const answer = await fetch(`${url}/api/v1/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ message, conversation_id: conversation }),
      })
      expect(answer.status).toBe(200)
      return (await answer.json()) as { conversation_id: string }
    }
    await one.call('add_task', { title: 'water the plants' })
    const asked = await chat(urls()[0], 'delete the task "water the plants"')
    await chat(urls()[1], 'yes', asked.conversation_id)
    const { body: listed } = await one.call('list_tasks')
    expect(JSON.stringify(listed)).not.toContain('water the plants')
  })

  it('count for themselves, and can be summed', async () => {
    await one.call('list_tasks')
    await other.call('list_tasks')
    const metrics = async (url: string, query = '') =>
      (await fetch(`${url}/metrics${query}`)).text()
    const all = () => metrics(urls()[0], '?replica=all')
    await expect.poll(all).toMatch(/replica="replica-1",tool="list_tasks",outcome="ok"/)
    expect(await all()).toMatch(/replica="replica-0",tool="list_tasks",outcome="ok"/)
    const own = await metrics(urls()[1])
    expect(own).toContain('replica="replica-1"')
    expect(own).not.toContain('replica="replica-0"')
    expect((await all()).match(/# TYPE secretary_tool_calls_total/g)).toHaveLength(1)
  })

  it('say whether they are ready, and refuse a database that is newer than they are', async () => {
    const ready = async (url: string) => (await fetch(`${url}/health/ready`)).json()
    expect(await ready(urls()[0])).toEqual({ status: 'ok', replica: 'replica-0' })
    expect((await fetch(`${urls()[0]}/health/live`)).status).toBe(200)
    const client = new pg.Client({ connectionString: database })
    await client.connect()
    await client.query("insert into secretary_migrations values ('999-tomorrow', '2030')")
    expect(await ready(urls()[0])).toMatchObject({
      status: 'not_ready',
      reason: expect.stringContaining('newer version of Secretary (999-tomorrow)'),
    })
    const late = await startHttpServer({ env: { SECRETARY_DATABASE_URL: database } })
    const third = await connectToUrl(late.url)
    const { body } = await third.attempt('list_tasks')
    expect(body.error).toContain('newer version of Secretary')
    await third.close()
    await late.stop()
    await client.query("delete from secretary_migrations where name = '999-tomorrow'")
    await client.end()
  })
})

async function textUntil(response: Response, words: string): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  if (!response.body) return text
  for await (const bytes of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true })
    if (text.includes(words)) return text
  }
  return text
}
