import { namesOfProject } from '@secretary-mcp/core/files/repository.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import type { ExpressionBuilder, Selectable } from 'kysely'
import * as z from 'zod'
import { inSpaceOf } from '../../spaces/store/space-filters.ts'
import { storedJson } from '../../storage/database.ts'
import type { DiscoveryTable, Tables } from '../../storage/tables.ts'
import type { Owner } from '../access/access.ts'
import {
  type Discovery,
  type DiscoveryState,
  type DiscoveryType,
  type FileMark,
  type Mention,
  VERDICTS,
} from '../discoveries/discovery.ts'
import { saidOf } from '../discoveries/likeness.ts'

const fileMarks: z.ZodType<FileMark[]> = z.array(z.object({ path: z.string(), hash: z.string() }))
const sources: z.ZodType<Mention[]> = z.array(
  z.object({ dialog: z.string().optional(), request: z.int().optional(), date: z.string() }),
)

type DiscoveryRow = Omit<Selectable<DiscoveryTable>, 'user_id' | 'project'>

export function rowOf(discovery: Discovery): DiscoveryRow {
  const { id, type, origin, confidence, date } = discovery
  const content = redact(discovery.content)
  return {
    id,
    type,
    content,
    origin,
    confidence,
    said: saidOf(content),
    follows: discovery.follows ?? null,
    sources: JSON.stringify(discovery.sources),
    module: discovery.module ?? null,
    session: discovery.session ?? null,
    created_at: date,
    files: JSON.stringify(discovery.files),
    access_count: discovery.accessCount,
    last_access_at: discovery.lastAccessAt ?? null,
    archived: Number(discovery.archived),
    space_id: discovery.spaceId ?? null,
    verdict: discovery.verdict ?? null,
  }
}

export function discoveryOf(
  row: DiscoveryRow & { space?: string | null; user_id?: string },
): Discovery {
  const verdict = VERDICTS.find((known) => known === row.verdict)
  return {
    id: row.id,
    type: row.type as DiscoveryType,
    content: row.content,
    date: row.created_at,
    confidence: Number(row.confidence),
    origin: row.origin === 'dialog' ? 'dialog' : 'recorded',
    files: storedJson(row.files, fileMarks) ?? [],
    sources: storedJson(row.sources, sources) ?? [],
    accessCount: row.access_count,
    archived: row.archived === 1,
    ...(verdict ? { verdict } : {}),
    ...(row.space ? { space: row.space, ...(row.user_id ? { by: row.user_id } : {}) } : {}),
    ...(row.space_id === null ? {} : { spaceId: row.space_id }),
    ...(row.module === null ? {} : { module: row.module }),
    ...(row.session === null ? {} : { session: row.session }),
    ...(row.follows === null ? {} : { follows: row.follows }),
    ...(row.last_access_at === null ? {} : { lastAccessAt: row.last_access_at }),
  }
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
