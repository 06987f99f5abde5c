import { redactIn } from '@secretary-mcp/core/redact.ts'
import * as z from 'zod'
import { type Database, storedJson } from '../../storage/database.ts'
import {
  type AccessStore,
  accessScore,
  type FileAccess,
  type Session,
  type SessionFile,
} from '../access/access.ts'

/** A file untouched for longer than this many others is not at hand, however often it was read. */
const CANDIDATES = 500

const topics = z.array(z.string())
const sessionFiles: z.ZodType<SessionFile[]> = z.array(
  z.object({ path: z.string(), count: z.number(), first: z.string(), last: z.string() }),
)

export function createAccessStore(database: Database): AccessStore {
  return {
    async addAccesses({ user, project }, paths, now) {
      if (paths.size === 0) return
      const rows = [...paths].map(([path, count]) => ({
        user_id: user,
        project,
        path,
        count,
        first_access_at: now,
        last_access_at: now,
      }))
      await database.use((db) =>
        db
          .insertInto('file_accesses')
          .values(rows)
          .onConflict((conflict) =>
            conflict.columns(['user_id', 'project', 'path']).doUpdateSet((e) => ({
              count: e('file_accesses.count', '+', e.ref('excluded.count')),
              last_access_at: e.ref('excluded.last_access_at'),
            })),
          )
          .execute(),
      )
    },

    async topFiles({ user, project }, limit, now) {
      return database.use(async (db) => {
        const mine = db
          .selectFrom('file_accesses')
          .where('user_id', '=', user)
          .where('project', '=', project)
        const { total } = await mine
          .select((e) => e.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
        const rows = await mine
          .selectAll()
          .orderBy('last_access_at', 'desc')
          .limit(CANDIDATES)
          .execute()
        const files = rows
          .map(
            (row): FileAccess => ({
              path: row.path,
              count: row.count,
              firstAccessAt: row.first_access_at,
              lastAccessAt: row.last_access_at,
              score: accessScore(row.count, Date.parse(row.last_access_at), Date.parse(now)),
            }),
          )
          .sort((a, b) => b.score - a.score || b.lastAccessAt.localeCompare(a.lastAccessAt))
        return { files: files.slice(0, limit), total: Number(total) }
      })
    },

    async putSession(
      { user, project },
      { id, client, startedAt, lastActiveAt, endedAt, calls, topics, files },
    ) {
      const row = {
        client: client ?? null,
        last_active_at: lastActiveAt,
        ended_at: endedAt ?? null,
        calls,
        topics: JSON.stringify(redactIn(topics)),
        files: JSON.stringify(files),
      }
      await database.use((db) =>
        db
          .insertInto('context_sessions')
          .values({ user_id: user, project, id, started_at: startedAt, ...row })
          .onConflict((conflict) => conflict.columns(['user_id', 'project', 'id']).doUpdateSet(row))
          .execute(),
      )
    },

    async recentSessions({ user, project }, limit) {
      const rows = await database.use((db) =>
        db
          .selectFrom('context_sessions')
          .selectAll()
          .where('user_id', '=', user)
          .where('project', '=', project)
          .orderBy('last_active_at', 'desc')
          .limit(limit)
          .execute(),
      )
      return rows.map(
        (row): Session => ({
          id: row.id,
          startedAt: row.started_at,
          lastActiveAt: row.last_active_at,
          calls: row.calls,
          topics: storedJson(row.topics, topics) ?? [],
          files: storedJson(row.files, sessionFiles) ?? [],
          ...(row.client ? { client: row.client } : {}),
          ...(row.ended_at ? { endedAt: row.ended_at } : {}),
        }),
      )
    },
  }
}
