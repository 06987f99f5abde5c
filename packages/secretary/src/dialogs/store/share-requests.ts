import type { Kysely, Transaction } from 'kysely'
import type { SharedRequestStore, TakenBack } from '../sharing/sharing-store.ts'
import type { Database } from '../../storage/database.ts'
import type { Tables } from '../../storage/tables.ts'
import { recordAudit } from '../../spaces/store/audit-entry.ts'
import { rowOf } from './request-row.ts'

type Sharing = Pick<SharedRequestStore, 'share' | 'takeBack'>

const ROWS_AT_ONCE = 50
const SESSIONS_AT_ONCE = 500

/** What a space has of requests: shared, shared again and taken back, each with its entry in the log. */
export function createRequestSharing(database: Database): Sharing {
  const write = <T>(work: (trx: Transaction<Tables>) => Promise<T>) =>
    database.use((db) => db.transaction().execute(work))
  return {
    share: (dialog, now, { isStanding = false } = {}) =>
      write(async (trx) => {
        const { user, space, sessionId, requests } = dialog
        // Whoever takes the dialog back at the same time comes before or after.
        await raiseVersion(trx, space)
        const held = markOf(trx, user, sessionId, space)
        if (isStanding && (await held.select('space_id').executeTakeFirst())) return undefined
        if (!isStanding)
          await trx
            .deleteFrom('unshared_dialogs')
            .where('user_id', '=', user)
            .where('session_id', '=', sessionId)
            .where('space_id', '=', space)
            .execute()
        const own = { user, space, sessionId }
        const before = await countOf(trx, own)
        await trx
          .deleteFrom('shared_requests')
          .where('space_id', '=', space)
          .where('user_id', '=', user)
          .where('session_id', '=', sessionId)
          .execute()
        const rows = requests.map((request) => rowOf(dialog, request, now))
        for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
          await trx
            .insertInto('shared_requests')
            .values(rows.slice(start, start + ROWS_AT_ONCE))
            .execute()
        if (before !== rows.length)
          await audit(trx, own, now, before === 0 ? 'share' : 'update', rows.length)
        return rows.length
      }),

    takeBack: (user, taken, now) =>
      write(async (trx) => {
        const gone = new Set<string>()
        for (const sessions of partsOf(taken.sessions))
          for (const { space, sessionId } of await sharedOf(trx, user, { ...taken, sessions })) {
            await raiseVersion(trx, space)
            const { numDeletedRows } = await trx
              .deleteFrom('shared_requests')
              .where('space_id', '=', space)
              .where('user_id', '=', user)
              .where('session_id', '=', sessionId)
              .executeTakeFirst()
            if (!taken.isForgotten) await hold(trx, user, sessionId, space)
            if (Number(numDeletedRows) === 0) continue
            gone.add(sessionId)
            const own = { user, space, sessionId, remover: taken.remover }
            await audit(trx, own, now, 'unshare', Number(numDeletedRows))
          }
        return gone.size
      }),
  }
}

interface OwnDialog {
  readonly user: string
  readonly space: string
  readonly sessionId: string
}

/** Holds the row until the transaction ends: of two who change what a space has, one waits. */
async function raiseVersion(trx: Transaction<Tables>, space: string): Promise<void> {
  await trx
    .insertInto('shared_versions')
    .values({ name: versionName(space), version: 1 })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((e) => ({ version: e('shared_versions.version', '+', 1) })),
    )
    .execute()
}

export function versionName(space: string): string {
  return `requests/${space}`
}

function markOf(db: Kysely<Tables>, user: string, sessionId: string, space: string) {
  return db
    .selectFrom('unshared_dialogs')
    .where('user_id', '=', user)
    .where('session_id', '=', sessionId)
    .where('space_id', '=', space)
}

async function hold(
  trx: Transaction<Tables>,
  user: string,
  sessionId: string,
  space: string,
): Promise<void> {
  await trx
    .insertInto('unshared_dialogs')
    .values({ user_id: user, session_id: sessionId, space_id: space })
    .onConflict((conflict) => conflict.columns(['user_id', 'session_id', 'space_id']).doNothing())
    .execute()
}

async function countOf(
  trx: Transaction<Tables>,
  { user, space, sessionId }: OwnDialog,
): Promise<number> {
  const { total } = await trx
    .selectFrom('shared_requests')
    .select((e) => e.fn.countAll<number>().as('total'))
    .where('space_id', '=', space)
    .where('user_id', '=', user)
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Of the user's own alone; a space goes by its id or its name, whether or not they still belong to it. */
async function sharedOf(
  trx: Transaction<Tables>,
  user: string,
  { sessions, space, project }: TakenBack,
): Promise<{ space: string; sessionId: string }[]> {
  let own = trx
    .selectFrom('shared_requests')
    .innerJoin('spaces', 'spaces.id', 'shared_requests.space_id')
    .select(['space_id as space', 'session_id as sessionId'])
    .distinct()
    .where('user_id', '=', user)
  if (sessions) own = own.where('session_id', 'in', sessions)
  if (space !== undefined)
    own = own.where((e) => e.or([e('spaces.id', '=', space), e('spaces.name', '=', space)]))
  if (project !== undefined) own = own.where('shared_requests.project', '=', project)
  // In the same order for all, so that no two wait for each other.
  return own.orderBy('space_id').orderBy('session_id').execute()
}

function partsOf(sessions: readonly string[] | undefined): (readonly string[] | undefined)[] {
  if (!sessions) return [undefined]
  const parts = []
  for (let start = 0; start < sessions.length; start += SESSIONS_AT_ONCE)
    parts.push(sessions.slice(start, start + SESSIONS_AT_ONCE))
  return parts
}

function audit(
  trx: Transaction<Tables>,
  { user, space, sessionId, remover = user }: OwnDialog & { readonly remover?: string },
  at: string,
  action: 'share' | 'update' | 'unshare',
  requests: number,
): Promise<void> {
  const subject = { kind: 'request', id: sessionId } as const
  const count = requests === 1 ? '1 request' : `${requests} requests`
  const text = remover === user ? count : `${count} of ${user}`
  return recordAudit(trx, { at, user: remover, space, action, subject, text })
}
