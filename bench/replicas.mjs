// 200 clients on 1, 2 and 4 servers over one PostgreSQL: throughput, what a client waits, and what of it is ours.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, runPostgres } from './run-postgres.mjs'
import { serve } from './serve.mjs'

const CLIENTS = 200
const CALLS = 10
const COUNTS = [1, 2, 4]

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
        'Every second call writes a task, the others list ten. Servers, clients and PostgreSQL share the cores of this machine, so more servers cannot be faster here; the figures show what they cost.',
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
    for (const { url } of started) await call(url, 'list_tasks', { limit: 10 })
    const times = []
    const began = performance.now()
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, number) => {
        const { url } = started[number % count]
        for (let turn = 0; turn < CALLS; turn++) {
          const asked = performance.now()
          if (turn % 2 === 0) await call(url, 'add_task', { title: `task ${number}-${turn}` })
          else await call(url, 'list_tasks', { limit: 10 })
          times.push(performance.now() - asked)
        }
      }),
    )
    const seconds = (performance.now() - began) / 1000
    const own = await Promise.all(started.map(({ url }) => ownShare(url)))
    times.sort((a, b) => a - b)
    const at = (share) => times[Math.floor(times.length * share)].toFixed(0)
    return [
      count,
      ((CLIENTS * CALLS) / seconds).toFixed(0),
      at(0.5),
      at(0.95),
      Math.max(...own).toFixed(1),
    ]
  } finally {
    await Promise.all(started.map(({ stop }) => stop()))
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

/** The slower of the two tools, as the server saw it. */
async function ownShare(url) {
  const text = await (await fetch(`${url}/metrics`)).text()
  const found = text.matchAll(/secretary_tool_duration_ms\{.*quantile="0.95"\} ([\d.]+)/g)
  return Math.max(...[...found].map(([, ms]) => Number(ms)))
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
