import type { Kysely, Selectable } from 'kysely'
import type { AuditEntry } from '../../space.ts'
import type { Tables } from '../../storage/tables.ts'

/** In the transaction of the change that it tells of. */
export async function recordAudit(trx: Kysely<Tables>, entry: AuditEntry): Promise<void> {
  const { at, user, space, action, subject, text } = entry
  const of = { user_id: user, space_id: space, subject_kind: subject.kind, subject_id: subject.id }
  await trx
    .insertInto('audit_log')
    .values({ at, action, text, ...of })
    .execute()
}

export function auditEntryOf(row: Omit<Selectable<Tables['audit_log']>, 'id'>): AuditEntry {
  const { at, user_id: user, space_id: space, action, subject_kind: kind, text } = row
  return { at, user, space, action, subject: { kind, id: row.subject_id }, text }
}
