import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Reply } from '../support/chat-house.ts'
import {
  binary,
  type Connection,
  connectToUrl,
  type HttpServer,
  isolatedEnvironment,
  startHttpServer,
} from '../support/mcp-client.ts'
import { type ModelMock, startModelMock } from '../support/model-mock.ts'

let server: HttpServer
let model: ModelMock
let env: Record<string, string>
let member: Connection
let operator: Connection
const secretary = (...args: string[]) =>
  execFileSync(process.execPath, [binary, ...args], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const created = (user: string, ...more: string[]) =>
  bearer(secretary('token', 'create', '--user', user, ...more))
let bob: Record<string, string>
let grace: Record<string, string>

beforeAll(async () => {
  model = await startModelMock()
  env = isolatedEnvironment({
    SECRETARY_CHAT_TOOLS: 'all',
    SECRETARY_MODEL_URL: model.url,
    SECRETARY_MODEL: 'mock',
    SECRETARY_RATE_LIMITS: 'off',
  })
  server = await startHttpServer({ env })
  bob = created('bob')
  grace = created('grace', '--role', 'operator')
  member = await connectToUrl(server.url, { headers: bob })
  operator = await connectToUrl(server.url, { headers: grace })
})
afterAll(async () => {
  await Promise.all([member.close(), operator.close()])
  await server.stop()
  await model.close()
})

/** Every tool that changes what all users share. */
const SHARED: readonly (readonly [string, Record<string, unknown>])[] = [
  ['create_document', { consent: 'CREATE_DOCUMENT', path: 'lang/x.md', content: '# X' }],
  ['update_document', { consent: 'UPDATE_DOCUMENT', path: 'lang/x.md', content: '# Y' }],
  ['remove_document', { consent: 'REMOVE_DOCUMENT', path: 'lang/x.md' }],
  ['category_add', { name: 'mine', dir: 'lang', patterns: ['*'] }],
  ['category_change', { name: 'mine', description: 'other' }],
  ['category_remove', { name: 'mine' }],
  ['collection_add', { name: 'set', categories: ['lang'] }],
  ['collection_change', { name: 'set', description: 'other' }],
  ['collection_remove', { name: 'set' }],
  ['use_profile', { name: 'python' }],
  ['set_feature_flag', { name: 'shared', value: true }],
]

describe('a member', () => {
  const chat = async (message: string, conversation_id?: string) => {
    const answer = await fetch(`${server.url}/api/v1/chat`, {
      method: 'POST',
      headers: { ...bob, 'content-type': 'application/json' },
      body: JSON.stringify({ message, conversation_id }),
    })
    return (await answer.json()) as Reply
  }

  it.each(SHARED)('gets no further with %s through the chat', async (name, args) => {
    model.script({ calls: [{ name: `guide_${name}`, args }] }, (asked) => ({
      say: String(asked.messages.at(-1)?.content),
    }))
    const { conversation_id, message, context } = await chat('change it for all of us')
    expect(message.content).toContain('forbidden')
    expect(context.needs_confirmation).toBeUndefined()
    model.script({ say: 'Nothing waits.' })
    expect((await chat('yes', conversation_id)).message.content).toBe('Nothing waits.')
  })

  it('is not told that something was done where everything was refused', async () => {
    const [name, args] = SHARED[0] ?? ['', {}]
    model.script({ calls: [{ name: `guide_${name}`, args }] })
    const { message } = await chat('change it, and do not take no for an answer')
    expect(message.content).toContain('Nothing was done.')
  })

  it.each(SHARED)('may not call %s, over MCP or REST', async (name, args) => {
    const { body, result } = await member.attempt(`guide_${name}`, args)
    expect(result.isError).toBe(true)
    expect(body).toMatchObject({ error_type: 'forbidden' })
    const answer = await fetch(`${server.url}/api/v1/tools/guide_${name}`, {
      method: 'POST',
      headers: { ...bob, 'content-type': 'application/json' },
      body: JSON.stringify(args),
    })
    expect(await answer.json()).toMatchObject({ isError: true, error_type: 'forbidden' })
  })

  it('has flags of their own and reads nobody else’s', async () => {
    await operator.call('guide_set_project_flag', { name: 'salary', value: 'secret' })
    for (const name of ['guide_get_project_flag', 'guide_list_project_flags', 'guide_get_project'])
      expect(
        JSON.stringify(
          (await member.call(name, name.endsWith('flag') ? { name: 'salary' } : {})).body,
        ),
      ).not.toContain(name.endsWith('flag') ? 'secret' : 'salary')
    await member.call('guide_set_project_flag', { name: 'tone', value: 'short' })
    expect((await member.call('guide_get_project_flag', { name: 'tone' })).body).toMatchObject({
      value: { value: 'short' },
    })
    const carol = await connectToUrl(server.url, { headers: created('carol') })
    expect(JSON.stringify((await carol.call('guide_list_project_flags')).body)).not.toContain(
      'tone',
    )
    await carol.close()
  })

  it('sees flags of all, and no other projects', async () => {
    await operator.call('guide_set_feature_flag', { name: 'for-all', value: true })
    expect((await member.call('guide_get_project_flag', { name: 'for-all' })).body).toMatchObject({
      value: { value: true },
    })
    const { body } = await member.call('guide_list_projects')
    expect((body.value as { projects: unknown[] }).projects).toHaveLength(1)
  })

  it('gets stats and metrics of their own calls; an operator gets the whole', async () => {
    await operator.attempt('delete_task', { task_id: 4711 })
    await member.call('list_tasks')
    const read = async (path: string, headers: Record<string, string>) =>
      (await fetch(`${server.url}${path}`, { headers })).text()
    for (const path of ['/api/v1/stats', '/metrics']) {
      expect(await read(path, bob), path).toContain('list_tasks')
      expect(await read(path, bob), path).not.toContain('delete_task')
      expect(await read(path, grace), path).toContain('delete_task')
      expect(await read(path, grace), path).toContain('list_tasks')
    }
  })
})

describe('an operator', () => {
  it('sees that others called, and not what they asked and were told', async () => {
    await member.call('add_task', { title: 'Buy unspeakable milk' })
    const read = async (headers: Record<string, string>) => {
      const answer = await fetch(`${server.url}/api/v1/calls?tool=add_task`, { headers })
      const { calls } = (await answer.json()) as { calls: { user: string }[] }
      return calls.filter(({ user }) => user === 'bob')
    }
    expect(await read(bob)).toMatchObject([{ arguments: expect.stringContaining('unspeakable') }])
    const seen = await read(grace)
    expect(seen).toMatchObject([{ tool: 'add_task', user: 'bob' }])
    expect(JSON.stringify(seen)).not.toMatch(/unspeakable|arguments|answer/)
  })

  it('may change what all users share', async () => {
    for (const [name, args] of SHARED) {
      const { body } = await operator.call(`guide_${name}`, args)
      expect(body, name).toMatchObject({ success: true })
    }
  })

  it('is the local owner too, on every surface', async () => {
    const args = JSON.stringify({ name: 'owned', value: true })
    expect(secretary('call', 'guide_set_feature_flag', args)).toContain('"success":true')
    const owner = await connectToUrl(server.url)
    const set = await owner.call('guide_set_feature_flag', { name: 'owned', value: null })
    expect(set.body).toMatchObject({ success: true })
    await owner.close()
  })
})

describe('an open stream of events', () => {
  const listen = (headers: Record<string, string>) =>
    fetch(`${server.url}/api/v1/events`, { headers })

  it('tells a member of their own calls alone', async () => {
    const [hers, his] = await Promise.all([listen(grace), listen(bob)])
    const heard = async (response: Response, until: string) => {
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      while (reader && !text.includes(until)) {
        const { done, value } = await reader.read()
        if (done) break
        text += value
      }
      await reader?.cancel()
      return text
    }
    const both = Promise.all([heard(hers, 'add_task'), heard(his, 'add_task')])
    const calling = setInterval(() => {
      void operator.attempt('complete_task', { task_id: 1 }).catch(() => {})
      void member.call('add_task', { title: 'x' }).catch(() => {})
    }, 500)
    const [whole, own] = await both
    clearInterval(calling)
    expect(whole).toContain('complete_task')
    expect(own).not.toContain('complete_task')
  })

  it('ends when its token is revoked', async () => {
    const made = JSON.parse(secretary('token', 'create', '--user', 'eve', '--json'))
    const response = await listen(bearer(made.token))
    const ended = response.text()
    secretary('token', 'revoke', made.id)
    expect(await ended).toContain('ready')
  })

  it('ends when its token expires', async () => {
    // On a busy machine a token of a few seconds may be over before it is used.
    for (const seconds of [3, 20, 80]) {
      const response = await listen(created('eve', '--days', String(seconds / 86_400)))
      const text = await response.text()
      if (response.status !== 200) continue
      expect(text).toContain('ready')
      return
    }
    expect.fail('no token lived long enough to be used')
  })
})
