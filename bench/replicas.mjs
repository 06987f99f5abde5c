// 200 clients on 1, 2 and 4 servers over one PostgreSQL: throughput, what a client waits, and what of it is ours.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, query, runPostgres } from './run-postgres.mjs'
import { serve } from './serve.mjs'

const CLIENTS = 200
const CALLS = 10
const COUNTS = [1, 2, 4]
/** Calls of each server before: the first ones of a process take several times as long, and a server runs for weeks. */
const WARM_UP = { clients: 10, calls: 60 }

export async function replicas(root) {
  const folder = mkdtempSync(join(tmpdir(), 'secretary-replicas-'))
  const postgres = await runPostgres(root)
  try {
    const rows = []
    for (const count of COUNTS) rows.push(await measured(root, folder, postgres.url, count))
    return {
      title: `Servers on one PostgreSQL: ${CLIENTS} clients, ${CALLS} calls each`,
      header: ['servers', 'calls a second', 'client p50 ms', 'client p95 ms', 'our share p95 ms'],
      rows,
      notes: [
        `Every second call writes a task, the others list ten, all as one user, of whom a server runs 16 calls at a time. Each server has answered ${WARM_UP.clients * WARM_UP.calls} calls before. Our share is from when a call's arguments were read to its answer, waiting for its turn included. Servers, clients and PostgreSQL share the cores of this machine, and other programs come and go: the rows show what servers cost, not how they scale.`,
      ],
    }
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measured(root, folder, server, count) {
  const database = await createDatabase(server, `replicas_${count}`)
  const started = []
  for (let place = 0; place < count; place++)
    started.push(await serve(root, replica(folder, database, `${count}-${place}`)))
  try {
    await Promise.all(
      started.flatMap(({ url }) =>
        Array.from({ length: WARM_UP.clients }, () => turns(url, 'warm', WARM_UP.calls)),
      ),
    )
    const times = []
    const from = new Date().toISOString()
    const began = performance.now()
    await Promise.all(
      Array.from({ length: CLIENTS }, (_, number) =>
        turns(started[number % count].url, number, CALLS, times),
      ),
    )
    const seconds = (performance.now() - began) / 1000
    const own = await ownShare(started, database, from)
    times.sort((a, b) => a - b)
    const at = (share) => times[Math.floor(times.length * share)].toFixed(0)
    return [count, ((CLIENTS * CALLS) / seconds).toFixed(0), at(0.5), at(0.95), own.toFixed(1)]
  } finally {
    await Promise.all(started.map(({ stop }) => stop()))
  }
}

/** Every second call writes. */
async function turns(url, name, calls, taken = []) {
  for (let turn = 0; turn < calls; turn++) {
    const asked = performance.now()
    if (turn % 2 === 0) await call(url, 'add_task', { title: `task ${name}-${turn}` })
    else await call(url, 'list_tasks', { limit: 10 })
    taken.push(performance.now() - asked)
  }
}

async function call(url, tool, args) {
  const answer = await fetch(`${url}/api/v1/tools/${tool}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(args),
  })
  const body = await answer.json()
  if (!answer.ok || body.isError) throw new Error(JSON.stringify(body).slice(0, 200))
}

/** Of what was asked since, as the servers saw it; each writes down what it has not yet when somebody looks. */
async function ownShare(started, database, from) {
  for (const { url } of started) await fetch(`${url}/api/v1/calls?limit=1`)
  const [{ p95 }] = await query(
    database,
    'select percentile_cont(0.95) within group (order by ms) as p95 from calls where at >= $1',
    [from],
  )
  return p95
}

function replica(folder, database, name) {
  return {
    HOME: folder,
    SECRETARY_HOME: join(folder, name),
    SECRETARY_PROJECT: folder,
    SECRETARY_DATABASE_URL: database,
    SECRETARY_REPLICA: name,
    SECRETARY_BACKGROUND_INDEX: 'off',
  }
}
