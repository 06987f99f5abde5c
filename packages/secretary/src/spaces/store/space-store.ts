import type { Kysely, Selectable } from 'kysely'
import {
  type AuditEntry,
  EVERYBODY,
  type Invitation,
  type Space,
  type SpaceMember,
  type SpaceRole,
} from '../../space.ts'
import type { Database } from '../../storage/database.ts'
import type { Tables } from '../../storage/tables.ts'
import type { MemberChange, Roles } from '../rules.ts'

type NewSpace = Omit<Space, 'role' | 'createdBy'> & { readonly createdBy: string }

export interface AuditFilter {
  readonly limit: number
  readonly offset: number
}

/** What spaces need from storage. A person's role in the built-in space is not stored: it comes as `member`. */
export interface SpaceStore {
  /** With whoever creates it as its operator; false where the name is taken. */
  create(space: NewSpace, entry: AuditEntry): Promise<boolean>
  /** Those that a person belongs to, by name. */
  list(user: string): Promise<Space[]>
  /** By id or by name, among those that a person belongs to. */
  find(user: string, idOrName: string): Promise<Space | undefined>
  /** False where the new name is taken, and where the old one no longer is its name. */
  rename(
    space: string,
    names: { readonly from: string; readonly to: string },
    entry: AuditEntry,
  ): Promise<boolean>
  /** Its tasks go back to their owners; everything else that it holds goes with it, its log too. */
  remove(space: string): Promise<void>
  /** Who belongs to it, and who is invited. */
  members(space: string): Promise<SpaceMember[]>
  /**
   * One change at a time for each space: `check` sees who belongs to it and who is invited, and throws if the change is not allowed.
   * Whoever does not belong to it yet is invited; true in that case.
   */
  changeMember(
    space: string,
    change: MemberChange & { readonly invitedBy: string; readonly at: string },
    check: (roles: Roles, invited: Roles) => void,
    entry: (roles: Roles, invited: Roles) => AuditEntry,
  ): Promise<boolean>
  /** The spaces that a person is invited to, the latest first. */
  invitations(user: string): Promise<Invitation[]>
  /** Makes an invited person belong to the space, or takes the invitation away; false if there is none. */
  answerInvitation(
    space: string,
    user: string,
    accepts: boolean,
    entry: (role: SpaceRole) => AuditEntry,
  ): Promise<boolean>
  /** The latest first. */
  audit(space: string, filter: AuditFilter): Promise<{ entries: AuditEntry[]; total: number }>
}

export function createSpaceStore(database: Database): SpaceStore {
  return {
    create: ({ id, name, project, createdBy, createdAt }, entry) =>
      database.use((db) =>
        db.transaction().execute(async (trx) => {
          const row = { id, name, created_by: createdBy, created_at: createdAt }
          const added = await trx
            .insertInto('spaces')
            .values({ ...row, project: project ?? null })
            .onConflict((conflict) => conflict.column('name').doNothing())
            .returning('id')
            .executeTakeFirst()
          if (!added) return false
          await trx
            .insertInto('space_members')
            .values({ space_id: id, user_id: createdBy, role: 'operator' })
            .execute()
          await recordAudit(trx, entry)
          return true
        }),
      ),

    list: (user) =>
      database.use(async (db) => (await ofUser(db, user).orderBy('name').execute()).map(spaceOf)),

    async find(user, idOrName) {
      const rows = await database.use((db) =>
        ofUser(db, user)
          .where((e) => e.or([e('id', '=', idOrName), e('name', '=', idOrName)]))
          .execute(),
      )
      // A name may be made to look like the id of another space.
      const row = rows.find(({ id }) => id === idOrName) ?? rows[0]
      return row && spaceOf(row)
    },

    rename: (space, { from, to: name }, entry) =>
      database.use((db) =>
        db.transaction().execute(async (trx) => {
          const renamed = await trx
            .updateTable('spaces')
            .set({ name })
            .where('id', '=', space)
            .where('name', '=', from)
            .where((e) =>
              e.not(
                e.exists(e.selectFrom('spaces as s').select('s.id').where('s.name', '=', name)),
              ),
            )
            .executeTakeFirst()
          if (renamed.numUpdatedRows === 0n) return false
          await recordAudit(trx, entry)
          return true
        }),
      ),

    remove: (space) =>
      database.use((db) =>
        db.transaction().execute(async (trx) => {
          await trx
            .updateTable('tasks')
            .set({ space_id: null })
            .where('space_id', '=', space)
            .execute()
          for (const table of HELD)
            await trx.deleteFrom(table).where('space_id', '=', space).execute()
          await trx.deleteFrom('spaces').where('id', '=', space).execute()
        }),
      ),

    members: (space) =>
      database.use(async (db) => {
        const [roles, invited] = [await rolesIn(db, space), await invitedTo(db, space)]
        return [
          ...[...roles].map(([user, role]) => ({ user, role })),
          ...[...invited].map(([user, role]) => ({ user, role, isInvited: true as const })),
        ]
      }),

    changeMember: (space, { user, role, invitedBy, at }, check, entry) =>
      database.use((db) =>
        db.transaction().execute(async (trx) => {
          await lockSpace(trx, space)
          const [roles, invited] = [await rolesIn(trx, space), await invitedTo(trx, space)]
          check(roles, invited)
          const isInvitation = role !== undefined && !roles.has(user)
          if (role === undefined) await removeMember(trx, space, user)
          else if (isInvitation)
            await trx
              .insertInto('space_invitations')
              .values({
                space_id: space,
                user_id: user,
                role,
                invited_by: invitedBy,
                invited_at: at,
              })
              .onConflict((conflict) =>
                conflict
                  .columns(['space_id', 'user_id'])
                  .doUpdateSet({ role, invited_by: invitedBy, invited_at: at }),
              )
              .execute()
          else
            await trx
              .updateTable('space_members')
              .set({ role })
              .where('space_id', '=', space)
              .where('user_id', '=', user)
              .execute()
          if ((roles.get(user) ?? invited.get(user)) !== role)
            await recordAudit(trx, entry(roles, invited))
          return isInvitation
        }),
      ),

    invitations: (user) =>
      database.use(async (db) => {
        const rows = await db
          .selectFrom('space_invitations')
          .innerJoin('spaces', 'spaces.id', 'space_invitations.space_id')
          .select(['id', 'name', 'project', 'role', 'invited_by', 'invited_at'])
          .where('user_id', '=', user)
          .orderBy('invited_at', 'desc')
          .orderBy('id')
          .execute()
        return rows.map(({ id, name, project, role, invited_by, invited_at }) => ({
          space: { id, name, ...(project === null ? {} : { project }) },
          role,
          invitedBy: invited_by,
          invitedAt: invited_at,
        }))
      }),

    answerInvitation: (space, user, accepts, entry) =>
      database.use((db) =>
        db.transaction().execute(async (trx) => {
          await lockSpace(trx, space)
          const invitation = await trx
            .deleteFrom('space_invitations')
            .where('space_id', '=', space)
            .where('user_id', '=', user)
            .returning('role')
            .executeTakeFirst()
          if (!invitation) return false
          const { role } = invitation
          if (accepts)
            await trx
              .insertInto('space_members')
              .values({ space_id: space, user_id: user, role })
              .onConflict((conflict) => conflict.columns(['space_id', 'user_id']).doNothing())
              .execute()
          await recordAudit(trx, entry(role))
          return true
        }),
      ),

    audit: (space, { limit, offset }) =>
      database.use(async (db) => {
        const all = db.selectFrom('audit_log').where('space_id', '=', space)
        const { total } = await all
          .select((e) => e.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
        const rows = await all
          .selectAll()
          .orderBy('id', 'desc')
          .limit(limit)
          .offset(offset)
          .execute()
        return { entries: rows.map(auditEntryOf), total: Number(total) }
      }),
  }
}

/** What goes with a space. */
const HELD = [
  'discoveries',
  'space_documents',
  'shared_requests',
  'request_sharing',
  'unshared_dialogs',
  'space_members',
  'space_invitations',
  'audit_log',
] as const

/** Whoever changes the same space at the same time waits. */
async function lockSpace(trx: Kysely<Tables>, space: string): Promise<void> {
  await trx
    .updateTable('spaces')
    .set((e) => ({ name: e.ref('name') }))
    .where('id', '=', space)
    .execute()
}

/** Whoever goes stops sharing what comes; what they shared stays theirs to take back. */
async function removeMember(trx: Kysely<Tables>, space: string, user: string): Promise<void> {
  for (const table of ['space_members', 'space_invitations', 'request_sharing'] as const)
    await trx.deleteFrom(table).where('space_id', '=', space).where('user_id', '=', user).execute()
}

/** The spaces of a person with their role in each. */
function ofUser(db: Kysely<Tables>, user: string) {
  return db
    .selectFrom('spaces')
    .leftJoin('space_members', (join) => join.onRef('space_id', '=', 'id').on('user_id', '=', user))
    .where((e) => e.or([e('id', '=', EVERYBODY), e('user_id', 'is not', null)]))
    .select(['id', 'name', 'project', 'created_by', 'created_at', 'role'])
}

const rolesIn = (db: Kysely<Tables>, space: string) => rolesFrom(db, 'space_members', space)
const invitedTo = (db: Kysely<Tables>, space: string) => rolesFrom(db, 'space_invitations', space)

async function rolesFrom(
  db: Kysely<Tables>,
  table: 'space_members' | 'space_invitations',
  space: string,
): Promise<Roles> {
  const rows = await db
    .selectFrom(table)
    .select(['user_id', 'role'])
    .where('space_id', '=', space)
    .orderBy('user_id')
    .execute()
  return new Map(rows.map(({ user_id, role }) => [user_id, role]))
}

interface SpaceRow {
  id: string
  name: string
  project: string | null
  created_by: string
  created_at: string
  role: SpaceRole | null
}

function spaceOf({ id, name, project, created_by, created_at, role }: SpaceRow): Space {
  return {
    id,
    name,
    ...(project === null ? {} : { project }),
    ...(created_by === '' ? {} : { createdBy: created_by }),
    createdAt: created_at,
    role: role ?? 'member',
  }
}

/** In the transaction of the change that it tells of. */
export async function recordAudit(trx: Kysely<Tables>, entry: AuditEntry): Promise<void> {
  const { at, user, space, action, subject, text } = entry
  const of = { user_id: user, space_id: space, subject_kind: subject.kind, subject_id: subject.id }
  await trx
    .insertInto('audit_log')
    .values({ at, action, text, ...of })
    .execute()
}

function auditEntryOf(row: Omit<Selectable<Tables['audit_log']>, 'id'>): AuditEntry {
  const { at, user_id: user, space_id: space, action, subject_kind: kind, text } = row
  return { at, user, space, action, subject: { kind, id: row.subject_id }, text }
}
