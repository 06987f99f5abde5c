import type { ExpressionBuilder, Kysely } from 'kysely'
import type { DiscoveryState } from '../../context/discoveries/discovery-store.ts'
import type { Owner } from '../../context/owner.ts'
import { namesOfProject } from '../../core/files/repository.ts'
import { rolesThatMay, type SpaceAct } from '../../spaces/rules.ts'
import { EVERYBODY } from '../../spaces/space.ts'
import type { Tables } from '../tables.ts'

export type Shared = 'tasks' | 'discoveries' | 'shared_requests'

/** Ids of the spaces in which this user may do this; as an operator of the server, also of what everybody's operators may. */
export function spacesFor(
  eb: ExpressionBuilder<Tables, Shared>,
  user: string,
  act: SpaceAct,
  asOperator = false,
) {
  const joined = eb
    .selectFrom('space_members')
    .select('space_members.space_id')
    .where('space_members.user_id', '=', user)
    .where('role', 'in', rolesThatMay(act))
  if (act === 'manage' && !asOperator) return joined
  const everybody = eb
    .selectFrom('spaces')
    .select('spaces.id as space_id')
    .where('spaces.id', '=', EVERYBODY)
  return joined.unionAll(everybody)
}

/** In a space in which this user may do this. */
export function inSpaceOf<T extends Shared>(
  e: ExpressionBuilder<Tables, T>,
  user: string,
  act: SpaceAct,
  asOperator = false,
) {
  // Each of these tables has the column; the builder cannot know it of a table that is not yet chosen.
  const { eb } = e as ExpressionBuilder<Tables, Shared>
  return eb('space_id', 'in', spacesFor(eb, user, act, asOperator))
}

/** A user's own tasks, and those that are shared with them: apart, since no index serves both at once. */
export function readableTasks(db: Kysely<Tables>, user: string) {
  const ids = db.selectFrom('tasks').select('tasks.id')
  const own = ids.where('user_id', '=', user)
  const shared = ids.where((e) => inSpaceOf(e, user, 'read'))
  return db.selectFrom('tasks').where('id', 'in', own.unionAll(shared))
}

/** One of them. */
export function readableTask(db: Kysely<Tables>, user: string, id: number) {
  return db
    .selectFrom('tasks')
    .where('id', '=', id)
    .where((e) => e.or([e('user_id', '=', user), inSpaceOf(e, user, 'read')]))
}

type OfDiscoveries = ExpressionBuilder<Tables, 'discoveries'>

/** A person's own of a project, or those of one space. */
export function isOwn(e: OfDiscoveries, { user, project, space }: Owner) {
  if (space !== undefined)
    return e.and([e('space_id', '=', space), e('project', 'in', namesOfProject(project))])
  return isPersonal(e, user, project)
}

/** A person's own of a project, and those of spaces that they may read. */
export function isReadable({ eb }: OfDiscoveries, { user, project }: Owner) {
  const ids = eb.selectFrom('discoveries').select('discoveries.id')
  const own = ids.where((e) => isPersonal(e, user, project))
  const shared = ids.where((e) => isSharedWith(e, user, project))
  return eb('id', 'in', own.unionAll(shared))
}

/** The same for a few that are looked up by an id: each is checked, instead of listing all. */
export function mayBeRead(e: OfDiscoveries, { user, project }: Owner) {
  return e.or([isPersonal(e, user, project), isSharedWith(e, user, project)])
}

/** How far a discovery has come: see DiscoveryState. */
export function isInState(e: OfDiscoveries, state: DiscoveryState) {
  if (state === 'dismissed') return e('verdict', '=', 'dismissed')
  if (state === 'suggested') return e.and([e('origin', '=', 'dialog'), e('verdict', 'is', null)])
  return e.or([e('origin', '=', 'recorded'), e('verdict', '=', 'confirmed')])
}

function isPersonal(e: OfDiscoveries, user: string, project: string) {
  return e.and([
    e('project', 'in', namesOfProject(project)),
    e('user_id', '=', user),
    e('space_id', 'is', null),
  ])
}

function isSharedWith(e: OfDiscoveries, user: string, project: string) {
  return e.and([e('project', 'in', namesOfProject(project)), inSpaceOf(e, user, 'read')])
}

/** The name of the space, beside what is shared with it. */
export function spaceName<T extends Shared>(e: ExpressionBuilder<Tables, T>) {
  const { eb } = e as ExpressionBuilder<Tables, Shared>
  return eb.selectFrom('spaces').select('name').whereRef('spaces.id', '=', 'space_id').as('space')
}
