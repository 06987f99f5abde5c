import type { ExpressionBuilder } from 'kysely'
import { EVERYBODY } from '../../space.ts'
import type { Tables } from '../../storage/tables.ts'
import { rolesThatMay, type SpaceAct } from '../rules.ts'

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

/** The name of the space, beside what is shared with it. */
export function spaceName<T extends Shared>(e: ExpressionBuilder<Tables, T>) {
  const { eb } = e as ExpressionBuilder<Tables, Shared>
  return eb.selectFrom('spaces').select('name').whereRef('spaces.id', '=', 'space_id').as('space')
}
