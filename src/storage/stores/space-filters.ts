import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Owner } from '../../context/owner.ts'
import { rolesThatMay, type SpaceAct } from '../../spaces/rules.ts'
import { EVERYBODY } from '../../spaces/space.ts'
import type { Tables } from '../tables.ts'
import { namesOfProject } from './project-name.ts'

type Shared = 'tasks' | 'discoveries' | 'shared_requests'

/** In a space in which this user may do this; as an operator of the server, also where everybody's operators may. */
export function inSpaceOf<T extends Shared>(
  e: ExpressionBuilder<Tables, T>,
  user: string,
  act: SpaceAct,
  asOperator = false,
) {
  // Each of these tables has the column; the builder cannot know it of a table that is not yet chosen.
  const { eb } = e as ExpressionBuilder<Tables, Shared>
  const joined = eb
    .selectFrom('space_members')
    .select('space_members.space_id')
    .where('space_members.user_id', '=', user)
    .where('role', 'in', rolesThatMay(act))
  if (act === 'manage' && !asOperator) return eb('space_id', 'in', joined)
  const everybody = eb
    .selectFrom('spaces')
    .select('spaces.id as space_id')
    .where('spaces.id', '=', EVERYBODY)
  return eb('space_id', 'in', joined.unionAll(everybody))
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
  const whose =
    space === undefined
      ? e.and([e('user_id', '=', user), e('space_id', 'is', null)])
      : e('space_id', '=', space)
  return e.and([e('project', 'in', namesOfProject(project)), whose])
}

/** A person's own of a project, and those of spaces that they may read. */
export function isReadable({ eb }: OfDiscoveries, { user, project }: Owner) {
  const ids = eb
    .selectFrom('discoveries')
    .select('discoveries.id')
    .where('project', 'in', namesOfProject(project))
  const own = ids.where('user_id', '=', user).where('space_id', 'is', null)
  const shared = ids.where((e) => inSpaceOf(e, user, 'read'))
  return eb('id', 'in', own.unionAll(shared))
}

/** The name of the space, beside what is shared with it. */
export function spaceName<T extends Shared>(e: ExpressionBuilder<Tables, T>) {
  const { eb } = e as ExpressionBuilder<Tables, Shared>
  return eb.selectFrom('spaces').select('name').whereRef('spaces.id', '=', 'space_id').as('space')
}
