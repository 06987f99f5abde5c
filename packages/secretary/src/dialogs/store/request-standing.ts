import type { SharedRequestStore } from '../sharing/sharing-store.ts'
import type { Database } from '../../storage/database.ts'

type Standing = Pick<SharedRequestStore, 'keepSharing' | 'stopSharing' | 'standing'>

/** Which projects' later dialogs people share without being asked again. */
export function createStandingShares(database: Database): Standing {
  return {
    keepSharing: (user, project, spaceId, now) =>
      database.use(async (db) => {
        await db
          .insertInto('request_sharing')
          .values({ user_id: user, project, space_id: spaceId, since: now })
          .onConflict((conflict) =>
            conflict.columns(['user_id', 'project', 'space_id']).doNothing(),
          )
          .execute()
      }),

    stopSharing: (user, project, space) =>
      database.use(async (db) => {
        const { numDeletedRows } = await db
          .deleteFrom('request_sharing')
          .where('user_id', '=', user)
          .where('project', '=', project)
          .where('space_id', 'in', (e) =>
            e
              .selectFrom('spaces')
              .select('spaces.id')
              .where((of) => of.or([of('spaces.id', '=', space), of('spaces.name', '=', space)])),
          )
          .executeTakeFirst()
        return Number(numDeletedRows) > 0
      }),

    standing: (user) =>
      database.use((db) =>
        db
          .selectFrom('request_sharing')
          .innerJoin('spaces', 'spaces.id', 'request_sharing.space_id')
          .select([
            'request_sharing.project as project',
            'spaces.id as spaceId',
            'spaces.name as space',
            'since',
          ])
          .where('user_id', '=', user)
          .orderBy('spaces.name')
          .execute(),
      ),
  }
}
