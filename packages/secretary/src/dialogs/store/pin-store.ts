import type { Database } from '../../storage/database.ts'
import type { Pin, PinStore } from '../pins/pins.ts'

const COLUMNS = ['id', 'session_id', 'request_index', 'source', 'text', 'pinned_at'] as const
const MAX_PINS = 500

export function createPinStore(database: Database): PinStore {
  return {
    async add(user, { sessionId, index, source, text, project, pinnedAt }) {
      const row = {
        user_id: user,
        project,
        session_id: sessionId,
        request_index: index,
        source,
        text,
        pinned_at: pinnedAt,
      }
      const added = await database.use((db) =>
        db.insertInto('pins').values(row).returning(COLUMNS).executeTakeFirstOrThrow(),
      )
      return pinFromRow(added)
    },

    async list(user, projects) {
      if (projects.length === 0) return []
      const rows = await database.use((db) =>
        db
          .selectFrom('pins')
          .select(COLUMNS)
          .where('user_id', '=', user)
          .where('project', 'in', projects)
          .orderBy('id', 'desc')
          .limit(MAX_PINS)
          .execute(),
      )
      return rows.map(pinFromRow)
    },

    async remove(user, id) {
      const row = await database.use((db) =>
        db
          .deleteFrom('pins')
          .where('user_id', '=', user)
          .where('id', '=', id)
          .returning(COLUMNS)
          .executeTakeFirst(),
      )
      return row && pinFromRow(row)
    },
  }
}

interface PinRow {
  readonly id: number
  readonly session_id: string
  readonly request_index: number
  readonly source: string
  readonly text: string
  readonly pinned_at: number
}

/** PostgreSQL gives large numbers as text. */
function pinFromRow(row: PinRow): Pin {
  return {
    id: Number(row.id),
    text: row.text,
    sessionId: row.session_id,
    index: row.request_index,
    source: row.source,
    pinnedAt: Number(row.pinned_at),
  }
}
