import { execFileSync } from 'node:child_process'
import { expect } from 'vitest'
import { binary, type HttpServer, isolatedEnvironment, startHttpServer } from './mcp-client.ts'
import { type AskedModel, type ModelMock, startModelMock } from './model-mock.ts'

export interface Reply {
  conversation_id: string
  message: { content: string; sender: string; timestamp: string }
  context: {
    tasks_modified: number[]
    action_taken: string
    conversation_created: boolean
    needs_confirmation?: object
  }
}

type User = 'ada' | 'bob'

export interface ChatHouse {
  readonly env: Record<string, string>
  readonly server: HttpServer
  readonly mock: ModelMock
  /** Headers of a request that is theirs. */
  as(user: User): Record<string, string>
  send(
    method: string,
    path: string,
    body?: unknown,
    user?: User,
  ): Promise<{ status: number; headers: Headers; body: Body }>
  chat(message: string, conversation_id?: string, user?: User): Promise<Reply>
  /** Of the user's tasks. */
  titles(user?: User): Promise<string[]>
  close(): Promise<void>
}

/** What a server sends, before a test says what it must be. */
type Body = ReturnType<typeof JSON.parse>

/** `secretary serve` with tokens for an operator and a member, and a model that does as it is told. */
export async function openChatHouse(settings: Record<string, string> = {}): Promise<ChatHouse> {
  const mock = await startModelMock()
  const env = isolatedEnvironment({
    SECRETARY_AUTH: 'on',
    SECRETARY_MODEL: 'mock',
    SECRETARY_MODEL_URL: mock.url,
    SECRETARY_MODEL_KEY: 'sk-secret',
    SECRETARY_RATE_LIMITS: 'off',
    ...settings,
  })
  const server = await startHttpServer({ env })
  const token = (user: string, role: string) =>
    execFileSync(process.execPath, [binary, 'token', 'create', '--user', user, '--role', role], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  const tokens = { ada: token('ada', 'operator'), bob: token('bob', 'member') }
  const as = (user: User) => ({
    authorization: `Bearer ${tokens[user]}`,
    'content-type': 'application/json',
  })
  const send: ChatHouse['send'] = async (method, path, body, user = 'ada') => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: as(user),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  return {
    env,
    server,
    mock,
    as,
    send,
    async chat(message, conversation_id, user) {
      const asked = { message, ...(conversation_id ? { conversation_id } : {}) }
      const { status, body } = await send('POST', '/api/v1/chat', asked, user)
      expect(status, JSON.stringify(body)).toBe(200)
      return body
    },
    async titles(user) {
      const { body } = await send('GET', '/api/v1/tasks', undefined, user)
      return (body.tasks as { title: string }[]).map(({ title }) => title)
    },
    async close() {
      await server.stop()
      await mock.close()
    },
  }
}

/** What the tools answered, as the model was told. */
export function toolResults(asked: AskedModel) {
  return asked.messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content ?? 'null'))
}
