import type { Kysely } from 'kysely'
import { EVERYBODY } from '../../space.ts'
import { recordAudit } from '../../spaces/store/space-store.ts'
import type { Database } from '../../storage/database.ts'
import type { Tables } from '../../storage/tables.ts'
import type { SpaceDocumentStore } from '../document-sharing.ts'

type Change = Parameters<SpaceDocumentStore['put']>[0]

export function createSpaceDocumentStore(database: Database): SpaceDocumentStore {
  return {
    async readable(user) {
      const rows = await database.use((db) =>
        db
          .selectFrom('space_documents')
          .innerJoin('spaces', 'spaces.id', 'space_documents.space_id')
          .select(['spaces.id', 'spaces.name', 'path', 'content'])
          .where((e) =>
            e.or([
              e('spaces.id', '=', EVERYBODY),
              e(
                'spaces.id',
                'in',
                e
                  .selectFrom('space_members')
                  .select('space_members.space_id')
                  .where('user_id', '=', user),
              ),
            ]),
          )
          .orderBy('spaces.id')
          .orderBy('path')
          .execute(),
      )
      return rows.map(({ id, name, path, content }) => ({ space: { id, name }, path, content }))
    },

    async list(space) {
      const rows = await database.use((db) =>
        db
          .selectFrom('space_documents')
          .select(['path', 'author', 'updated_at'])
          .where('space_id', '=', space)
          .orderBy('path')
          .execute(),
      )
      return rows.map(({ path, author, updated_at: updatedAt }) => ({ path, author, updatedAt }))
    },

    put: (change, content, seen) =>
      database.use((db) =>
        db.transaction().execute(async (trx) => {
          const { user, space, path, now } = change
          const row = { content, author: user, updated_at: now }
          const { numInsertedOrUpdatedRows = 0n } = await trx
            .insertInto('space_documents')
            .values({ space_id: space, path, ...row })
            .onConflict((conflict) => {
              const there = conflict.columns(['space_id', 'path'])
              if (seen === undefined) return there.doUpdateSet(row)
              if (seen.updatedAt === null) return there.doNothing()
              return there.doUpdateSet(row).where('space_documents.updated_at', '=', seen.updatedAt)
            })
            .executeTakeFirstOrThrow()
          if (numInsertedOrUpdatedRows === 0n) return false
          await audit(trx, change, 'share')
          return true
        }),
      ),

    remove: (change, isAnybodys, seen) =>
      database.use((db) =>
        db.transaction().execute(async (trx) => {
          let wanted = trx
            .deleteFrom('space_documents')
            .where('space_id', '=', change.space)
            .where('path', '=', change.path)
          if (!isAnybodys) wanted = wanted.where('author', '=', change.user)
          if (seen) wanted = wanted.where('updated_at', '=', seen.updatedAt ?? '')
          const { numDeletedRows } = await wanted.executeTakeFirstOrThrow()
          if (numDeletedRows === 0n) return false
          await audit(trx, change, 'unshare')
          return true
        }),
      ),
  }
}

function audit(trx: Kysely<Tables>, { user, space, path, now }: Change, action: string) {
  const subject = { kind: 'document', id: path } as const
  return recordAudit(trx, { at: now, user, space, action, subject, text: '' })
}
