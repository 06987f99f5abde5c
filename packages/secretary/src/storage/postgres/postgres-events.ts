import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ReplicaEvent, ReplicaEvents } from '@secretary-mcp/core/changes.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../database.ts'

const CHANNEL = 'secretary_events'
/** PostgreSQL takes less than 8,000 bytes. */
const MAX_PAYLOAD_SIZE = 7_500
const FIRST_WAIT_MS = 200
const MAX_WAIT_MS = 10_000
/** A connection that went silent looks like one on which nothing happens. */
const PROVE_EVERY_MS = 20_000
const PROVE_WITHIN_MS = 5_000

interface Message {
  readonly from: string
  readonly event: ReplicaEvent
}

/** LISTEN and NOTIFY: one more connection for whoever listens, none for whoever only tells. */
export function createPostgresEvents(database: Database, url: string, log: Log): ReplicaEvents {
  const self = randomUUID()
  return {
    publish(event) {
      database
        .use((db) => sql`select pg_notify(${CHANNEL}, ${payloadOf(self, event)})`.execute(db))
        .catch((err: unknown) => log.warn({ err }, 'the other servers were not told of a change'))
    },
    follow(listener) {
      const ending = new AbortController()
      const hear = (text = '') => {
        const message = messageIn(text)
        if (message && message.from !== self) listener(message.event)
      }
      const missed = () => listener({ kind: 'missed' })
      const done = listenUntil(ending.signal, { url, hear, missed, log })
      return {
        async close() {
          ending.abort()
          await done
        },
      }
    },
  }
}

interface Listening {
  readonly url: string
  readonly hear: (text: string | undefined) => void
  readonly missed: () => void
  readonly log: Log
}

/** One connection after the other, however often they are lost. */
async function listenUntil(signal: AbortSignal, parts: Listening): Promise<void> {
  let waitMs = FIRST_WAIT_MS
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      await listenOnce(signal, parts, () => {
        waitMs = FIRST_WAIT_MS
        if (!isFirst) parts.missed()
      })
    } catch (err) {
      parts.log.debug({ err }, 'the connection that hears of other servers was lost')
    }
    await wait(waitMs, undefined, { signal, ref: false }).catch(() => undefined)
    waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)
  }
}

/** Until the connection is lost or nobody wants it any more. */
async function listenOnce(
  signal: AbortSignal,
  { url, hear }: Listening,
  listens: () => void,
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: PROVE_WITHIN_MS,
    query_timeout: PROVE_WITHIN_MS,
  })
  const lost = new Promise<void>((resolve) => {
    client.on('error', () => resolve())
    client.on('end', () => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  client.on('notification', ({ payload }) => hear(payload))
  const prove = setInterval(() => {
    client.query('select 1').catch(() => client.end().catch(() => undefined))
  }, PROVE_EVERY_MS).unref()
  try {
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    listens()
    await lost
  } finally {
    clearInterval(prove)
    client.end().catch(() => undefined)
  }
}

function payloadOf(from: string, event: ReplicaEvent): string {
  const text = JSON.stringify({ from, event } satisfies Message)
  if (Buffer.byteLength(text) <= MAX_PAYLOAD_SIZE) return text
  return JSON.stringify({ from, event: { kind: 'missed' } } satisfies Message)
}

/** Whoever may write to the database may also send what we never would. */
function messageIn(text: string): Message | undefined {
  try {
    const { from, event } = JSON.parse(text) as Partial<Message>
    const isKnown =
      (event?.kind === 'change' && typeof event.change?.kind === 'string') ||
      (event?.kind === 'chat' && typeof event.user === 'string') ||
      (event?.kind === 'written' && Array.isArray(event.topics)) ||
      event?.kind === 'missed'
    return typeof from === 'string' && event && isKnown ? { from, event } : undefined
  } catch {
    return undefined
  }
}
