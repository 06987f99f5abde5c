import { namesOfProject } from '@secretary-mcp/core/files/repository.ts'
import type { ExpressionBuilder } from 'kysely'
import { inSpaceOf } from '../../spaces/store/space-filters.ts'
import type { Tables } from '../../storage/tables.ts'
import type { DiscoveryState } from '../discoveries/discovery-store.ts'
import type { Owner } from '../owner.ts'

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
