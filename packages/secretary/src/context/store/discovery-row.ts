import { redact } from '@secretary-mcp/core/redact.ts'
import type { Selectable } from 'kysely'
import * as z from 'zod'
import { storedJson } from '../../storage/stored-json.ts'
import type { DiscoveryTable } from '../../storage/tables.ts'
import {
  type Discovery,
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

export type DiscoveryRow = Omit<Selectable<DiscoveryTable>, 'user_id' | 'project'>

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
