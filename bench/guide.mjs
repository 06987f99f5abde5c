// How fast get_content answers over 1,000 documents, through a real MCP client on stdio.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const FOLDERS = 20
const DOCUMENTS = 1_000
const CALLS = 300

const folder = mkdtempSync(join(tmpdir(), 'secretary-bench-'))
const docroot = join(folder, 'docroot')
for (let place = 0; place < DOCUMENTS; place++) {
  const path = join(docroot, 'many', `f${place % FOLDERS}`)
  mkdirSync(path, { recursive: true })
  writeFileSync(
    join(path, `d${place}.md`),
    `---\ndescription: Rule ${place}\ntags: [bench]\n---\n# Rule ${place}\n${'A line of some length. '.repeat(40)}\n`,
  )
}

const client = new Client({ name: 'bench', version: '1' })
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(new URL('../dist/secretary.js', import.meta.url)), 'mcp'],
    env: { PATH: process.env.PATH ?? '', HOME: folder, SECRETARY_HOME: folder, SECRETARY_PROJECT: folder },
  }),
)

const ask = (expression) => client.callTool({ name: 'guide_get_content', arguments: { expression } })
const rows = []
for (const [what, expression] of [
  ['one document by name', 'many/f7/d7'],
  ['one folder of 50', 'many/f7'],
  ['all 1,000, first page', 'many'],
]) {
  const cold = await timed(() => ask(expression))
  const times = []
  for (let call = 0; call < CALLS; call++) times.push(await timed(() => ask(expression)))
  times.sort((a, b) => a - b)
  rows.push({
    what,
    'cold ms': round(cold),
    'p50 ms': round(times[CALLS * 0.5]),
    'p95 ms': round(times[CALLS * 0.95]),
    'p99 ms': round(times[CALLS * 0.99]),
  })
}
console.table(rows)

writeFileSync(join(docroot, 'many/f7/d7.md'), 'changed')
const seen = (await ask('many/f7/d7')).structuredContent.value.content
console.log(seen === 'changed\n' ? 'a change on disk shows in the next call' : 'STALE')

await client.close()
rmSync(folder, { recursive: true, force: true })
if (rows.some((row) => row['p50 ms'] >= 10) || seen !== 'changed\n') process.exitCode = 1

async function timed(work) {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function round(ms) {
  return Math.round(ms * 100) / 100
}
