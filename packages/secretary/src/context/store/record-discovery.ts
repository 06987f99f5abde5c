import { nameOfProject } from '@secretary-mcp/core/files/repository.ts'
import { type Kysely, sql, type Transaction } from 'kysely'
import { recordAudit } from '../../spaces/store/space-store.ts'
import type { Engine } from '../../storage/database.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Owner } from '../access/access.ts'
import type { Discovery, FileMark, Mention } from '../discoveries/discovery.ts'
import { saidOf } from '../discoveries/likeness.ts'
import { discoveryOf, isInState, isOwn, rowOf } from './discovery-row.ts'

const MOST_SOURCES = 20

/** One at a time for each owner, whatever the process: what is looked for and then added cannot be added twice. */
export function oneAtATime<T>(
  db: Kysely<Tables>,
  engine: Engine,
  owner: Owner,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    if (engine === 'postgres')
      await sql`select pg_advisory_xact_lock(hashtextextended(${lockName(owner)}, 0))`.execute(trx)
    return work(trx)
  })
}

function lockName(owner: Owner): string {
  const project = nameOfProject(owner.project)
  return owner.space === undefined ? `${owner.user} ${project}` : `${owner.space}\n${project}`
}

export async function recordDiscovery(
  trx: Transaction<Tables>,
  owner: Owner,
  discovery: Discovery,
): Promise<{ discovery: Discovery; merged: boolean }> {
  const known = await findSame(trx, owner, discovery)
  if (!known) {
    await insertDiscoveries(trx, owner, [discovery])
    await audit(trx, owner, discovery, 'record')
    return { discovery, merged: false }
  }
  const confirmed = confirmedBy(known, discovery)
  await update(trx, owner, confirmed)
  await audit(trx, owner, { ...confirmed, date: discovery.date }, 'confirm')
  return { discovery: confirmed, merged: true }
}

export async function suggestDiscoveries(
  trx: Transaction<Tables>,
  owner: Owner,
  session: string,
  discoveries: readonly Discovery[],
): Promise<void> {
  const kept = discoveries.map(({ id }) => id)
  await trx
    .deleteFrom('discoveries')
    .where((e) => isOwn(e, owner))
    .where((e) => isInState(e, 'suggested'))
    .where('session', '=', session)
    .$if(kept.length > 0, (query) => query.where('id', 'not in', kept))
    .execute()
  for (const discovery of discoveries) {
    const known = await findSame(trx, owner, discovery)
    if (!known) await insertDiscoveries(trx, owner, [discovery])
    else if (!hasSource(known, discovery))
      await update(trx, owner, { ...known, sources: joined(known, discovery) })
  }
}

/** The same words about another module are another discovery; about no module, they are the same. */
async function findSame(
  trx: Transaction<Tables>,
  owner: Owner,
  { type, content, module }: Discovery,
): Promise<Discovery | undefined> {
  const found = await ofOwner(trx, owner)
    .selectAll()
    .where('type', '=', type)
    .where('said', '=', saidOf(content))
    .execute()
  // Ordered here: asked for an order, SQLite walks all of a type by date instead of looking the words up.
  const rows = found.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  const row =
    rows.find((candidate) => candidate.module === (module ?? null)) ??
    rows.find((candidate) => candidate.module === null || module === undefined)
  return row && discoveryOf(row)
}

/** Said on purpose, it is no longer a suggestion, nor dismissed. */
function confirmedBy({ verdict: _verdict, ...known }: Discovery, again: Discovery): Discovery {
  const module = known.module ?? again.module
  const marks = new Map<string, FileMark>()
  for (const mark of [...known.files, ...again.files]) marks.set(mark.path, mark)
  return {
    ...known,
    origin: 'recorded',
    ...(module ? { module } : {}),
    files: [...marks.values()],
    sources: joined(known, again),
    confidence: Math.max(known.confidence, again.confidence),
    accessCount: known.accessCount + 1,
    lastAccessAt: again.date,
    archived: false,
  }
}

/** The first one stays, and the latest. */
function joined(known: Discovery, again: Discovery): Mention[] {
  const [first, ...later] = [...known.sources, ...again.sources]
  return first ? [first, ...later.slice(1 - MOST_SOURCES)] : []
}

function hasSource(known: Discovery, { sources: [source] }: Discovery): boolean {
  return known.sources.some(
    ({ dialog, request }) => dialog === source?.dialog && request === source?.request,
  )
}

async function insertDiscoveries(
  trx: Transaction<Tables>,
  owner: Owner,
  discoveries: readonly Discovery[],
): Promise<void> {
  const about = { user_id: owner.user, project: nameOfProject(owner.project) }
  await trx
    .insertInto('discoveries')
    .values(discoveries.map((discovery) => ({ ...about, ...rowOf(discovery) })))
    .onConflict((conflict) => conflict.columns(['user_id', 'project', 'id']).doNothing())
    .execute()
}

async function update(trx: Transaction<Tables>, owner: Owner, discovery: Discovery) {
  const { id, ...row } = rowOf(discovery)
  await trx
    .updateTable('discoveries')
    .set({ ...row, project: nameOfProject(owner.project) })
    .where((e) => isOwn(e, owner))
    .where('id', '=', id)
    .execute()
}

function ofOwner(trx: Transaction<Tables>, owner: Owner) {
  return trx.selectFrom('discoveries').where((e) => isOwn(e, owner))
}

/** Of what a space knows, who said it. */
async function audit(
  trx: Transaction<Tables>,
  { user, space }: Owner,
  { id, type, date: at }: Discovery,
  action: 'record' | 'confirm',
): Promise<void> {
  if (space === undefined) return
  const subject = { kind: 'discovery', id } as const
  await recordAudit(trx, { at, user, space, action, subject, text: type })
}
