import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Owner } from '../../context/owner.ts'
import { rolesThatMay, type SpaceAct } from '../../spaces/rules.ts'
import { EVERYBODY } from '../../spaces/space.ts'
import type { Tables } from '../tables.ts'

type Shared = 'tasks' | 'discoveries'

/** In a space in which this user may do this; as an operator of the server, also where everybody's operators may. */
export function inSpaceOf<T extends Shared>(
  e: ExpressionBuilder<Tables, T>,
  user: string,
  act: SpaceAct,
  asOperator = false,
) {
  // Both tables have the column; the builder cannot know it of a table that is not yet chosen.
  const { eb } = e as ExpressionBuilder<Tables, Shared>
  const joined = eb
    .selectFrom('space_members')
    .select('space_members.space_id')
    .where('space_members.user_id', '=', user)
    .where('role', 'in', rolesThatMay(act))
  const isIn = eb('space_id', 'in', joined)
  if (act === 'manage' && !asOperator) return isIn
  return eb.or([isIn, eb('space_id', '=', EVERYBODY)])
}

/** A user's own tasks, and those that are shared with them. */
export function readableTasks(db: Kysely<Tables>, user: string) {
  return db
    .selectFrom('tasks')
    .where((e) => e.or([e('user_id', '=', user), inSpaceOf(e, user, 'read')]))
}

type OfDiscoveries = ExpressionBuilder<Tables, 'discoveries'>

/** A person's own of a project, or those of one space. */
export function isOwn(e: OfDiscoveries, { user, project, space }: Owner) {
  const whose =
    space === undefined
      ? e.and([e('user_id', '=', user), e('space_id', 'is', null)])
      : e('space_id', '=', space)
  return e.and([e('project', '=', project), whose])
}

/** A person's own of a project, and those of spaces that they may read. */
export function isReadable(e: OfDiscoveries, { user, project }: Owner) {
  const own = e.and([e('user_id', '=', user), e('space_id', 'is', null)])
  return e.and([e('project', '=', project), e.or([own, inSpaceOf(e, user, 'read')])])
}

/** The name of the space, beside a shared task or discovery. */
export function spaceName<T extends Shared>(e: ExpressionBuilder<Tables, T>) {
  const { eb } = e as ExpressionBuilder<Tables, Shared>
  return eb.selectFrom('spaces').select('name').whereRef('spaces.id', '=', 'space_id').as('space')
}
