import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Which request a task came from; it goes with the task. */
export const taskRequests: Migration = {
  name: '006-task-requests',
  async up(db) {
    await sql`create table task_requests (
      task_id bigint primary key references tasks (id) on delete cascade,
      session_id text not null, request_index integer not null)`.execute(db)
    await sql`create index task_requests_by_session on task_requests (session_id)`.execute(db)
  },
}
