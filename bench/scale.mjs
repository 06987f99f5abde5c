// What a team's rows weigh in PostgreSQL, and what the calls of one person cost among those of all the others.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createDatabase, query, runPostgres } from './run-postgres.mjs'
import { serve } from './serve.mjs'

const PEOPLE = (process.env.BENCH_PEOPLE ?? '10,1000,10000').split(',').map(Number)
const TASKS = 150
const DISCOVERIES = 200
/** Each person is in one team, and shares every fifth thing with it. */
const TEAM = 10
const CALLS = 200

export async function scale(root) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'secretary-scale-')))
  const postgres = await runPostgres(root)
  try {
    const rows = []
    for (const people of PEOPLE) rows.push(await measured(root, folder, postgres.url, people))
    return {
      title: `A team's database: ${TASKS} tasks and ${DISCOVERIES} discoveries a person`,
      header: [
        'people',
        'rows',
        'MB',
        'KB a person',
        'list_tasks p50 · p95 ms',
        'add_task p50 · p95 ms',
        'record_discovery p50 · p95 ms',
      ],
      rows,
      notes: [
        `Teams of ${TEAM}, who share a fifth of everything. PostgreSQL without fsync, on the same cores as server and client; times are the client's.`,
      ],
    }
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measured(root, folder, postgres, people) {
  const database = await createDatabase(postgres, `scale_${people}`)
  const project = join(folder, 'project')
  mkdirSync(project, { recursive: true })
  const settings = {
    HOME: folder,
    SECRETARY_HOME: join(folder, String(people)),
    SECRETARY_PROJECT: project,
    SECRETARY_DATABASE_URL: database,
    SECRETARY_USER: 'person-1',
    SECRETARY_BACKGROUND_INDEX: 'off',
  }
  const server = await serve(root, settings)
  const client = new Client({ name: 'bench', version: '1' })
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
    // The first call makes the tables.
    await client.callTool({ name: 'list_tasks', arguments: {} })
    await fill(database, people, project)
    const [{ rows, bytes }] = await query(
      database,
      'select sum(n_live_tup)::bigint as rows, sum(pg_total_relation_size(relid))::bigint as bytes from pg_stat_user_tables',
    )
    return [
      people.toLocaleString('en'),
      Number(rows).toLocaleString('en'),
      (bytes / 2 ** 20).toFixed(0),
      (bytes / 2 ** 10 / people).toFixed(0),
      ...(await times(client)),
    ]
  } finally {
    await client.close()
    await server.stop()
  }
}

async function fill(database, people, project) {
  const at = 'to_char(now() - n * interval \'1 minute\', \'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"\')'
  const person = `'person-' || (1 + n % ${people})`
  const team = `case when n / ${people} % 5 = 0 then 'team-' || (n % ${people} / ${TEAM}) end`
  await query(
    database,
    `insert into spaces (id, name, created_by, created_at) select 'team-' || n, 'team ' || n, 'person-1', ${at} from generate_series(0, ${Math.ceil(people / TEAM) - 1}) n`,
  )
  await query(
    database,
    `insert into space_members (space_id, user_id, role) select 'team-' || n / ${TEAM}, 'person-' || (n + 1), 'member' from generate_series(0, ${people - 1}) n`,
  )
  await query(
    database,
    `insert into tasks (user_id, title, description, completed, created_at, project, space_id)
      select ${person}, 'Report the bad rows of list ' || n, 'With their line numbers, and import the rest', n % 3 % 2, ${at}, $1, ${team}
      from generate_series(1, ${people * TASKS}) n`,
    [project],
  )
  await query(
    database,
    `insert into discoveries (id, user_id, project, type, content, origin, confidence, created_at, files, said, space_id)
      select md5(n::text), ${person}, $1, 'decision', 'Times of list ' || n || ' are stored in UTC and shown in the zone of the orchard, because two of them lie across a border',
        'agent', 0.9, ${at}, '[]', md5(n::text || 'said'), ${team}
      from generate_series(1, ${people * DISCOVERIES}) n`,
    [project],
  )
  await query(database, 'vacuum analyze')
}

async function times(client) {
  const calls = [
    ['list_tasks', () => ({ limit: 10 })],
    ['add_task', (n) => ({ title: `Task number ${n}` })],
    ['record_discovery', (n) => ({ type: 'decision', content: `Lists of kind ${n} are sorted` })],
  ]
  const figures = []
  for (const [name, args] of calls) {
    const taken = []
    for (let n = 0; n < CALLS; n++) {
      const began = performance.now()
      const answer = await client.callTool({ name, arguments: args(n) })
      taken.push(performance.now() - began)
      if (answer.isError) throw new Error(answer.content[0].text)
    }
    taken.sort((a, b) => a - b)
    figures.push(`${taken[CALLS / 2].toFixed(1)} · ${taken[Math.floor(CALLS * 0.95)].toFixed(1)}`)
  }
  return figures
}
