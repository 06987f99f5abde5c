import { createHash } from 'node:crypto'
import { expressionBuilder, type RawBuilder, sql } from 'kysely'
import type { SpaceNoteQuestion } from '../space-note-store.ts'
import { type Shared, spacesFor } from '../../../spaces/store/space-filters.ts'
import type { Tables } from '../../../storage/tables.ts'

/** What a question may look at. Spaces are read once for each statement, so that an index can be asked for all of them. */
export function isAskedFor(asked: SpaceNoteQuestion): RawBuilder<boolean> {
  const conditions = [
    mayBeRead(asked.user),
    sql`project in (${sql.join(asked.projects)})`,
    ...(asked.sources.length < 2 ? [sql`source in (${sql.join(asked.sources)})`] : []),
    ...(asked.type ? [sql`type = ${asked.type}`] : []),
    ...(asked.module ? [sql`module = ${asked.module}`] : []),
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

export function mayBeRead(user: string): RawBuilder<boolean> {
  const spaces = spacesFor(expressionBuilder<Tables, Shared>(), user, 'read')
  return sql<boolean>`space_id = any(array(${spaces}))`
}

const LONGEST_TERM = 200

/**
 * A term as it is stored: with the place of its note, because a word that is common everywhere is rare in one space, and the
 * index then reads nothing of the others. Without a place it is what the term begins with at every place.
 */
export function lexemeOf(term: string, place = ''): string {
  return `${term.slice(0, LONGEST_TERM)} ${place}`
}

const PLACE_LENGTH = 8

export function placeOf(space: string, project: string): string {
  return createHash('sha256')
    .update(`${space}\0${project}`)
    .digest('base64url')
    .slice(0, PLACE_LENGTH)
}
