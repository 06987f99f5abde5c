import { nameOfProject } from '@secretary-mcp/core/files/repository.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import * as z from 'zod'
import { saidOf } from '../../context/discoveries/likeness.ts'
import { isInState } from '../../context/store/discovery-store.ts'
import type { Database } from '../../storage/database.ts'
import type { Row, RowCarrier } from '../carriers.ts'

const COLUMNS = [
  'id',
  'project',
  'type',
  'content',
  'module',
  'session',
  'confidence',
  'created_at',
  'files',
  'follows',
  'sources',
] as const

const text = z.string().nullable()
const schema = z.object({
  id: z.string(),
  project: z.string(),
  type: z.string(),
  content: z.string(),
  module: text,
  session: text,
  confidence: z.number(),
  created_at: z.string(),
  files: z.string(),
  follows: text,
  sources: z.string(),
})
type Values = z.output<typeof schema>

/** What changes when somebody says it again. */
const open = ({ module, confidence, files, sources }: Values) => ({
  module,
  confidence,
  files,
  sources,
})

/**
 * What a user recorded or confirmed for themselves, on its way between that user's machines. Suggestions are drawn there again,
 * and how often something was used is each machine's own.
 */
export function carriedDiscoveries(database: Database, user: string): RowCarrier {
  const own = (local?: string) =>
    database.use((db) => {
      const mine = db
        .selectFrom('discoveries')
        .select(COLUMNS)
        .where('user_id', '=', user)
        .where('space_id', 'is', null)
        .where((e) => isInState(e, 'accepted'))
      const [project = '', id = ''] = local?.split('\n') ?? []
      return local === undefined
        ? mine.execute()
        : mine.where('project', '=', project).where('id', '=', id).execute()
    })
  return {
    type: 'discovery',
    fixed: ['id', 'project', 'created_at'],
    rows: async () => (await own()).map(rowOf),
    find: async (local) => (await own(local)).map(rowOf)[0],

    async add(_id, given) {
      const { data } = schema.safeParse(given)
      if (!data) return undefined
      const values = { ...data, content: redact(data.content) }
      const said = saidOf(values.content)
      return database.use((db) =>
        db.transaction().execute(async (trx) => {
          const same = await trx
            .selectFrom('discoveries')
            .select(['id', 'module'])
            .where('user_id', '=', user)
            .where('project', '=', values.project)
            .where('space_id', 'is', null)
            .where('type', '=', values.type)
            .where('said', '=', said)
            .where((e) => isInState(e, 'accepted'))
            .execute()
          // Both machines learned it on their own: it is there.
          if (same.some(({ id, module }) => id !== values.id && module === values.module))
            return undefined
          await trx
            .insertInto('discoveries')
            .values({ ...values, user_id: user, origin: 'recorded', said })
            // It may be a suggestion here that was confirmed there.
            .onConflict((conflict) =>
              conflict
                .columns(['user_id', 'project', 'id'])
                .doUpdateSet({ origin: 'recorded', verdict: null }),
            )
            .execute()
          return `${values.project}\n${values.id}`
        }),
      )
    },

    async change({ local, edition }, given) {
      const { data } = schema.safeParse(given)
      if (!data) return true
      const [project = '', id = ''] = local.split('\n')
      const [row] = await own(local)
      if (!row || rowOf(row).edition !== edition) return false
      const { sources } = row
      const { numUpdatedRows } = await database.use((db) =>
        db
          .updateTable('discoveries')
          .set(open(data))
          .where('user_id', '=', user)
          .where('project', '=', project)
          .where('id', '=', id)
          .where('sources', '=', sources)
          .executeTakeFirst(),
      )
      return numUpdatedRows > 0n
    },
  }
}

function rowOf(row: Values): Row {
  const project = nameOfProject(row.project)
  return {
    local: `${row.project}\n${row.id}`,
    id: `${project}\n${row.id}`,
    values: {
      ...row,
      project,
      content: redact(row.content),
      confidence: Number(row.confidence),
    },
    edition: JSON.stringify(open(row)),
    editedMs: Date.parse(row.created_at),
  }
}
