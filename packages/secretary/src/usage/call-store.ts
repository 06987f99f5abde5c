import type { CallStore, LoggedCall, Tally } from '@secretary-mcp/core/calls.ts'
import type { LimitQueries } from '@secretary-mcp/core/limits.ts'
import type { Kysely } from 'kysely'
import type { Database } from '../storage/database.ts'
import type { Tables } from '../storage/tables.ts'

/** How many calls are kept with their arguments; the sums of the days stay. */
const KEPT = 2_000

/** With the name of the server that counts, where there are several. */
export function createCallStore(database: Database, replica = ''): CallStore {
  return {
    async add(calls, tallies) {
      await database.use((db) =>
        db.transaction().execute(async (trx) => {
          if (calls.length > 0) await addCalls(trx, calls)
          if (tallies.length > 0) await addTallies(trx, tallies, replica)
        }),
      )
    },

    async forgetWords(user) {
      await database.use((db) =>
        db
          .updateTable('calls')
          .set({ arguments: '{}', answer: null })
          .where('user_id', '=', user)
          .execute(),
      )
    },

    async latest({ user, session, tool, byPage, failed, limit }) {
      const rows = await database.use((db) => {
        let wanted = db.selectFrom('calls').selectAll()
        if (user !== undefined) wanted = wanted.where('user_id', '=', user)
        if (session !== undefined) wanted = wanted.where('session', '=', session)
        if (tool !== undefined) wanted = wanted.where('tool', '=', tool)
        if (byPage !== undefined) wanted = wanted.where('by_page', '=', Number(byPage))
        if (failed) wanted = wanted.where('error', 'is not', null)
        return wanted.orderBy('id', 'desc').limit(limit).execute()
      })
      return rows.map(({ id: _, user_id, by_page, agent, session, error, answer, ...row }) => ({
        ...row,
        user: user_id,
        tokens: Number(row.tokens),
        byPage: by_page === 1,
        agent: agent ?? undefined,
        session: session ?? undefined,
        error: error ?? undefined,
        answer: answer ?? undefined,
      }))
    },

    async figures(by, since, user) {
      const rows = await database.use((db) => {
        let wanted = db.selectFrom('call_days').where('day', '>=', since)
        if (user !== undefined) wanted = wanted.where('user_id', '=', user)
        return wanted
          .select((e) => [
            e.ref(by).as('name'),
            e.fn.sum<number>('calls').as('calls'),
            e.fn.sum<number>('failed').as('failed'),
            e.fn.sum<number>('tokens').as('tokens'),
            e.fn.sum<number>('ms').as('ms'),
          ])
          .groupBy(by)
          .orderBy(by === 'day' ? 'name' : 'calls', by === 'day' ? 'asc' : 'desc')
          .execute()
      })
      return rows.map(({ name, calls, failed, tokens, ms }) => ({
        name,
        calls: Number(calls),
        failed: Number(failed),
        tokens: Number(tokens),
        ms: Math.round((Number(ms) / Number(calls)) * 100) / 100,
      }))
    },

    async tallies(hour, { user, replica: of } = {}) {
      const rows = await database.use((db) =>
        db
          .selectFrom('tool_tallies')
          .selectAll()
          .where('hour', '>=', hour)
          .$if(user !== undefined, (query) => query.where('user_id', '=', user ?? ''))
          .$if(of !== undefined, (query) => query.where('replica', '=', of ?? ''))
          .execute(),
      )
      return rows.map(({ user_id, count, ...row }) => ({
        ...row,
        user: user_id,
        count: Number(count),
      }))
    },
  }
}

async function addCalls(db: Kysely<Tables>, calls: readonly LoggedCall[]): Promise<void> {
  const kept = await db.insertInto('calls').values(calls.map(rowOf)).returning('id').execute()
  const last = Math.max(...kept.map(({ id }) => Number(id)))
  await db
    .deleteFrom('calls')
    .where('id', '<=', last - KEPT)
    .execute()
  const sums = sumsOf(calls)
  if (sums.length === 0) return
  await db
    .insertInto('call_days')
    .values(sums)
    .onConflict((conflict) =>
      conflict.columns(['day', 'user_id', 'agent', 'project', 'tool']).doUpdateSet((e) => ({
        calls: e('call_days.calls', '+', e.ref('excluded.calls')),
        failed: e('call_days.failed', '+', e.ref('excluded.failed')),
        tokens: e('call_days.tokens', '+', e.ref('excluded.tokens')),
        ms: e('call_days.ms', '+', e.ref('excluded.ms')),
      })),
    )
    .execute()
}

async function addTallies(
  db: Kysely<Tables>,
  tallies: readonly Tally[],
  replica: string,
): Promise<void> {
  await db
    .insertInto('tool_tallies')
    .values(tallies.map(({ user, ...tally }) => ({ ...tally, user_id: user, replica })))
    .onConflict((conflict) =>
      conflict.columns(['tool', 'user_id', 'hour', 'key', 'replica']).doUpdateSet((e) => ({
        count: e('tool_tallies.count', '+', e.ref('excluded.count')),
      })),
    )
    .execute()
}

function rowOf({ user, byPage, agent, session, error, answer, ...call }: LoggedCall) {
  return {
    ...call,
    user_id: user,
    by_page: Number(byPage),
    agent: agent ?? null,
    session: session ?? null,
    error: error ?? null,
    answer: answer ?? null,
  }
}

/** One row for each day, agent, project and tool; what the page calls is nobody's work. */
function sumsOf(calls: readonly LoggedCall[]) {
  const sums = new Map<string, ReturnType<typeof sumOf>>()
  for (const call of calls) {
    if (call.byPage) continue
    const fresh = sumOf(call)
    const key = JSON.stringify([fresh.day, fresh.user_id, fresh.agent, fresh.project, fresh.tool])
    const known = sums.get(key)
    if (!known) sums.set(key, fresh)
    else
      sums.set(key, {
        ...known,
        calls: known.calls + 1,
        failed: known.failed + fresh.failed,
        tokens: known.tokens + fresh.tokens,
        ms: known.ms + fresh.ms,
      })
  }
  return [...sums.values()]
}

function sumOf({ at, user, agent = '', project, tool, tokens, ms, error }: LoggedCall) {
  const day = at.slice(0, 10)
  const failed = error === undefined ? 0 : 1
  return { day, user_id: user, agent, project, tool, calls: 1, failed, tokens, ms }
}

/** The limiter's own statements over our connections. */
export function createLimitQueries(database: Database): LimitQueries {
  return {
    async query({ text, values }) {
      const { CompiledQuery } = await import('kysely')
      const { rows, numAffectedRows } = await database.use((db) =>
        db.executeQuery(CompiledQuery.raw(text, [...values])),
      )
      return { rows, rowCount: rows.length || Number(numAffectedRows ?? 0) }
    },
  }
}
