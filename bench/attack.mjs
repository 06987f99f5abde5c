// What a person elsewhere notices while a hostile project is read, searched and indexed: the slowest /health.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { build } from 'esbuild'
import { serve } from './serve.mjs'

const IDLE_MS = 3_000

export async function attack(root) {
  const folder = mkdtempSync(join(tmpdir(), 'secretary-attack-'))
  const { HOSTILE_FILES, writeHostileProject } = await corpus(root, folder)
  const project = join(folder, 'project')
  writeHostileProject(project)
  const server = await serve(root, {
    HOME: folder,
    SECRETARY_HOME: join(folder, 'home'),
    SECRETARY_PROJECT: project,
  })
  try {
    const idle = await slowest(server.url, delay(IDLE_MS))
    const client = new Client({ name: 'bench', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
    const call = (name, args) => client.callTool({ name, arguments: args }).catch(() => undefined)
    const rows = [['nothing', '', idle.slowest.toFixed(0), idle.count]]
    const attacks = [
      ['indexing', () => indexed(call)],
      ...Object.keys(HOSTILE_FILES).map((path) => [
        `reading ${path}`,
        () => call('read_file', { path, includeDeps: true }),
      ]),
      ...['(a+)+b', '(?=(a+))\\1b', '\\s+$'].map((pattern) => [
        `grep ${pattern}`,
        () => call('grep_codebase', { pattern }),
      ]),
      ['rules', () => call('guide_get_content', { expression: 'rules' })],
    ]
    for (const [name, run] of attacks) {
      const began = performance.now()
      const { slowest: worst, count } = await slowest(server.url, run())
      rows.push([name, (performance.now() - began).toFixed(0), worst.toFixed(0), count])
    }
    await client.close()
    const [first, ...rest] = rows
    rest.sort((one, other) => other[2] - one[2])
    return {
      title: 'Under attack: /health while a hostile project is worked on',
      header: ['meanwhile', 'took ms', 'slowest /health ms', 'asked'],
      rows: [first, ...rest.slice(0, 12)],
      notes: [`The twelve slowest of ${rest.length} attacks.`],
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function corpus(root, folder) {
  const outfile = join(folder, 'corpus.mjs')
  const entry = join(root, 'test/support/hostile-corpus.ts')
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' })
  return import(outfile)
}

/** Asks again and again until the work is done. */
async function slowest(url, work) {
  let busy = true
  const done = work.finally(() => {
    busy = false
  })
  let worst = 0
  let count = 0
  do {
    const began = performance.now()
    await (await fetch(`${url}/health`)).text()
    worst = Math.max(worst, performance.now() - began)
    count++
    await delay(2)
  } while (busy)
  await done
  return { slowest: worst, count }
}

async function indexed(call) {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await call('context_search', { query: 'lighthouse' })
    const { partial } = JSON.parse(answer?.content?.[0]?.text ?? '{}')
    if (answer && !partial) return
    await delay(100)
  }
}
