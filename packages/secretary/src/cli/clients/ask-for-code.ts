import { randomBytes } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { Duplex } from 'node:stream'
import { isEqual, type OwnerToken } from '../../identity/owner-token.ts'

const TIMEOUT_MS = 2_000
const MAX_ANSWER = 10_000

export type Found =
  /** It listens there and is ours; with a code unless it needs none. */
  { readonly isOurs: true; readonly code?: string } | { readonly isOurs: false }

/**
 * Asks the server at an address for a code that signs a browser in. Any account of this machine can listen there, or pass on what
 * it hears: the token goes only to a server that proves that it knows it and that this connection ends there, and over no other
 * connection.
 */
export async function askForCode(url: string, token: OwnerToken | undefined): Promise<Found> {
  const agent = new SingleConnection({ keepAlive: true, maxSockets: 1 })
  try {
    const nonce = randomBytes(16).toString('hex')
    const { body: health, socket } = await ask(agent, `${url}/health?nonce=${nonce}`)
    if (!token) return { isOurs: health.status !== undefined && health.version !== undefined }
    const { remoteAddress: address, remotePort: port } = socket
    const { proof } = health
    if (typeof proof !== 'string' || !isEqual(proof, token.proof(nonce, { address, port })))
      return { isOurs: false }
    const { body } = await ask(agent, `${url}/api/v1/sign-in-codes`, token)
    return typeof body.code === 'string' ? { isOurs: true, code: body.code } : { isOurs: false }
  } catch {
    return { isOurs: false }
  } finally {
    agent.destroy()
  }
}

/** Never connects a second time: behind a new connection there could be another server. */
class SingleConnection extends Agent {
  #isConnected = false

  override createConnection(
    ...given: Parameters<Agent['createConnection']>
  ): ReturnType<Agent['createConnection']> {
    if (this.#isConnected) throw new Error('The connection ended early')
    this.#isConnected = true
    return super.createConnection(...given) as Duplex
  }
}

function ask(
  agent: Agent,
  url: string,
  token?: OwnerToken,
): Promise<{ body: Record<string, unknown>; socket: IncomingMessage['socket'] }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        agent,
        method: token ? 'POST' : 'GET',
        headers: token ? { authorization: `Bearer ${token.text}` } : {},
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
      (answer) => {
        // It is gone from the answer once the agent has it back.
        const { socket } = answer
        let text = ''
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece
          if (text.length > MAX_ANSWER) answer.destroy(new Error('The answer is too long'))
        })
        answer.once('error', reject)
        answer.once('end', () => {
          try {
            const body = JSON.parse(text) as unknown
            resolve({ body: Object(body) as Record<string, unknown>, socket })
          } catch (error) {
            reject(error)
          }
        })
      },
    )
    asked.once('error', reject).end()
  })
}
