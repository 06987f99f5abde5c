import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { undeclared } from '../support/declared-answers.ts'
import { type HttpServer, startHttpServer } from '../support/mcp-client.ts'

describe('the JSON API', () => {
  let server: HttpServer
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...server.headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const answer = { status: response.status, body: await response.json() }
    expect(undeclared(method, path.replace(/\?.*/, ''), answer.status, answer.body)).toBeUndefined()
    return answer
  }
  beforeAll(async () => {
    server = await startHttpServer()
  })
  afterAll(() => server.stop())

  it('says what was wrong with a question about lines', async () => {
    for (const [lines, status] of [
      ['line=5&endLine=1', 400],
      ['line=0', 400],
      ['line=x', 400],
    ] as const)
      expect(await send('GET', `/api/v1/dialogs/why?file=README.md&${lines}`), lines).toMatchObject(
        { status },
      )
  })

  it('serves tasks as a resource with the rules of the tools', async () => {
    const added = await send('POST', '/api/v1/tasks', { title: 'Over HTTP' })
    expect(added).toMatchObject({ status: 201, body: { task: { title: 'Over HTTP' } } })
    const { id } = (added.body as { task: { id: number } }).task
    expect(await send('PATCH', `/api/v1/tasks/${id}`, { title: 'Changed' })).toMatchObject({
      status: 200,
      body: { task: { title: 'Changed' } },
    })
    expect(await send('POST', `/api/v1/tasks/${id}/complete`)).toMatchObject({ status: 200 })
    expect(await send('POST', `/api/v1/tasks/${id}/complete`)).toMatchObject({ status: 409 })
    expect(await send('GET', '/api/v1/tasks?completed=true&limit=1')).toMatchObject({
      status: 200,
      body: { total: 1, limit: 1 },
    })
    for (const [state, total] of [
      ['done', 1],
      ['open', 0],
    ])
      expect(await send('GET', `/api/v1/tasks?state=${state}`)).toMatchObject({ body: { total } })
    expect(await send('GET', '/api/v1/tasks?state=later')).toMatchObject({ status: 400 })
    expect(await send('DELETE', `/api/v1/tasks/${id}`)).toMatchObject({
      status: 200,
      body: { deleted_task_id: id },
    })
    expect(await send('DELETE', `/api/v1/tasks/${id}`)).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    })
  })

  it('declares every field of its answers', () => {
    const answer = { tasks: [], total: 0, limit: 1, offset: 0 }
    expect(undeclared('GET', '/api/v1/tasks', 200, answer)).toBeUndefined()
    expect(undeclared('GET', '/api/v1/tasks', 200, { ...answer, extra: 1 })).toContain('more than')
    expect(undeclared('GET', '/api/v1/tasks', 200, { tasks: [] })).toContain('total')
  })

  it('refuses what is not valid in one form, and says where', async () => {
    expect(await send('POST', '/api/v1/tasks', '{broken')).toEqual({
      status: 400,
      body: { error: 'invalid_request', message: 'The body must be JSON' },
    })
    expect(await send('POST', '/api/v1/tasks', { title: '' })).toMatchObject({
      status: 400,
      body: { message: 'Title must not be empty' },
    })
    expect(await send('GET', '/api/v1/tasks?completed=maybe')).toMatchObject({
      status: 400,
      body: { details: [{ path: 'completed' }] },
    })
    expect(await send('POST', '/api/v1/tasks', { title: 'x'.repeat(2_000_000) })).toMatchObject({
      status: 413,
      body: { error: 'too_large' },
    })
    expect(await send('GET', '/api/v1/guide/document?path=.guide/x.md')).toMatchObject({
      status: 400,
      body: { error: 'invalid_name' },
    })
  })

  it('calls any tool by name', async () => {
    expect(await send('POST', '/api/v1/tools/list_tasks', {})).toMatchObject({
      status: 200,
      body: { isError: false, body: { success: true } },
    })
    expect(await send('POST', '/api/v1/tools/nope', {})).toMatchObject({
      status: 404,
      body: {
        isError: true,
        error_type: 'unknown_tool',
        body: { error: 'Unknown tool: nope', tool: 'nope', tools: expect.any(Array) },
      },
    })
    expect(await send('POST', '/api/v1/tools/complete_task', { task_id: 999 })).toMatchObject({
      status: 200,
      body: { isError: true, error_type: 'not_found', body: { error: 'Task not found' } },
    })
  })

  it('describes itself: tools with their cost, statistics, health, OpenAPI', async () => {
    const { body } = (await send('GET', '/api/v1/tools')) as {
      body: { tools: { name: string; tokens: { full: number; compact: number } }[] }
    }
    expect(body.tools.find(({ name }) => name === 'add_task')?.tokens.full).toBeGreaterThan(50)
    expect(await send('GET', '/api/v1/stats')).toMatchObject({
      status: 200,
      body: { tools: expect.arrayContaining([expect.objectContaining({ tool: 'list_tasks' })]) },
    })
    expect(await send('GET', '/api/v1/health')).toMatchObject({
      status: 200,
      body: {
        checks: expect.arrayContaining([
          expect.objectContaining({ name: 'database', state: 'ok' }),
        ]),
      },
    })
    expect(await send('GET', '/api/v1/openapi.json')).toMatchObject({
      status: 200,
      body: { openapi: '3.1.0', paths: { '/api/v1/tasks': { get: {}, post: {} } } },
    })
  })

  it('says which methods an address takes, and answers another with 405', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/api/v1/tasks', 'GET, POST'],
      ['OPTIONS', '/api/v1/tasks/1', 'GET, PATCH, DELETE'],
      ['POST', '/api/v1/session', 'GET'],
    ] as const) {
      const response = await fetch(`${server.url}${path}`, { method, headers: server.headers })
      expect(response.status, path).toBe(405)
      expect(response.headers.get('allow')).toBe(allow)
      expect(await response.json()).toMatchObject({ error: 'method_not_allowed' })
    }
    expect((await fetch(`${server.url}/api/v1/nowhere`, { headers: server.headers })).status).toBe(
      404,
    )
  })

  it('lets nobody keep an answer, nor take it for something else', async () => {
    for (const path of ['/api/v1/tasks', '/api/v1/nowhere', '/api/v1/openapi.json', '/metrics']) {
      const { headers } = await fetch(`${server.url}${path}`, { headers: server.headers })
      expect(headers.get('cache-control'), path).toBe('no-store')
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(headers.get('access-control-allow-origin'), path).toBeNull()
    }
  })

  it('answers HEAD of the stream of events and ends', async () => {
    const response = await fetch(`${server.url}/api/v1/events`, {
      method: 'HEAD',
      headers: server.headers,
    })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await response.text()).toBe('')
  })
})
