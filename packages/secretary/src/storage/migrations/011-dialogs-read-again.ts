import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

const NOTHING_READ = JSON.stringify({ sessionId: '', status: 'pending', marks: [], offset: 0 })

/** The readers find more than they did: every file that is there is read from its start once more. */
export const dialogsReadAgain: Migration = {
  name: '011-dialogs-read-again',
  up: readDialogsAgain,
}

export async function readDialogsAgain(db: Parameters<Migration['up']>[0]): Promise<void> {
  await sql`update dialogs set size = -1, reading = ${NOTHING_READ} where chat_json_path is not null`.execute(
    db,
  )
}
