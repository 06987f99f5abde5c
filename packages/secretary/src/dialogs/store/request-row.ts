import * as z from 'zod'
import type { Deed } from '@secretary-mcp/transcripts/deeds/deed.ts'
import { type PackedDeed, packDeed, unpackDeed } from '../deeds/packed-deed.ts'
import type {
  DialogToShare,
  RequestInSpace,
  RequestToShare,
  WorkedRequest,
} from '../sharing/sharing-store.ts'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'
import type { SharedRequestTable } from '../../storage/request-tables.ts'
import { storedJson } from '../../storage/stored-json.ts'

/** Everything but the deeds, which are many times as long as the rest. */
export const WORDS = [
  'user_id',
  'session_id',
  'position',
  'source',
  'asked_at',
  'request',
  'answer',
  'files',
] as const

type WordsRow = Pick<SharedRequestTable, (typeof WORDS)[number]> & { readonly space: string | null }

/** A list of prints would be long to check line by line, and only we write it. */
const packedDeeds = z.custom<PackedDeed[]>(Array.isArray)

export function rowOf(
  { space, user, sessionId, project, source }: DialogToShare,
  { position, askedAt, request, answer, deeds }: RequestToShare,
  now: string,
): SharedRequestTable {
  return {
    space_id: space,
    user_id: user,
    session_id: sessionId,
    position,
    project,
    source,
    asked_at: askedAt,
    request,
    answer: answer ?? null,
    files: filesText(deeds),
    deeds: JSON.stringify(deeds.map(packDeed)),
    shared_at: now,
  }
}

export function requestOf(row: WordsRow): RequestInSpace {
  return {
    by: row.user_id,
    sessionId: row.session_id,
    position: row.position,
    space: row.space ?? '',
    source: row.source as SourceName,
    askedAt: row.asked_at,
    request: row.request,
    ...(row.answer === null ? {} : { answer: row.answer }),
    files: row.files.split('\n').filter((path) => path !== ''),
  }
}

export function workedOf(row: WordsRow & { readonly deeds: string }): WorkedRequest {
  const deeds = storedJson(row.deeds, packedDeeds) ?? []
  return { ...requestOf(row), deeds: deeds.map(unpackDeed) }
}

/** What `files` holds of a file, and of no other. */
export function fileMark(path: string): string {
  return `\n${path}\n`
}

function filesText(deeds: readonly Deed[]): string {
  const changed = deeds.filter(({ kind }) => /^(create|change|delete)$/.test(kind))
  const paths = new Set(changed.flatMap(({ path }) => path ?? []))
  return [...paths].map((path) => fileMark(path)).join('')
}
