import { expect } from 'vitest'
import { undeclared } from './declared-answers.ts'
import type { HttpServer } from './mcp-client.ts'

/** Requests to a server's API with the token of a person; every answer is one that the API declares. */
export function sendAs(server: () => HttpServer, tokens: ReadonlyMap<string, string>) {
  return async (user: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${server().url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${tokens.get(user)}`,
        // A kept connection may be closed from the other side just when it is used again.
        connection: 'close',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = { status: response.status, body: text ? JSON.parse(text) : undefined }
    const asked = path.replace(/\?.*/, '')
    if (text) expect(undeclared(method, asked, answer.status, answer.body)).toBeUndefined()
    return answer
  }
}
