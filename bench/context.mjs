// grep_codebase beside bare ripgrep with the same arguments on 20,000 files, read_file, and search while all of it is indexed.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { build } from 'esbuild'
import { onlyOurs } from '../scripts/only-ours.mjs'
import { at, connect, timed } from './stdio-client.mjs'

const FOLDERS = 400
const FILES_EACH = 50
const RUNS = 15
const READS = 1000
const INDEX_PATIENCE_MS = 300_000

export async function context(root) {
  const scratch = mkdtempSync(join(tmpdir(), 'secretary-bench-context-'))
  const project = join(scratch, 'project')
  makeTree(project)
  const { ripgrepArguments } = await load(root, scratch)
  const env = {
    SECRETARY_HOME: join(scratch, 'home'),
    SECRETARY_PROJECT: project,
    HOME: scratch,
    SECRETARY_RATE_LIMITS: 'off',
  }
  const server = await connect([join(root, 'dist', 'secretary.js'), 'mcp'], { env, cwd: scratch })
  const indexMs = await untilIndexed(server)
  const rows = []
  for (const [what, pattern] of [
    ['every file searched, 20 matches', 'rareNeedle\\d+'],
    ['every file searched, no match', 'thereIsNoSuchThing'],
    ['stopped at 50 of 20,000 matches', 'function handler'],
  ]) {
    const request = { pattern, caseSensitive: false, limit: 50 }
    const bare = () =>
      spawnSync(rgPath, ripgrepArguments(request), { cwd: project, maxBuffer: 1 << 30 })
    const [ours, theirs] = await inTurns(
      () => server.call('grep_codebase', request),
      async () => void bare(),
    )
    rows.push([`grep_codebase: ${what}`, at(ours, 0.5), at(theirs, 0.5)])
  }
  const read = await timed(READS, (i) =>
    server.call('read_file', { path: pathOf(i % FOLDERS, i % FILES_EACH) }),
  )
  const deps = await timed(100, (i) =>
    server.call('read_file', { path: pathOf(i, 1), includeDeps: true }),
  )
  const search = await timed(100, (i) =>
    server.call('context_search', { query: `how is order ${i} handled in module${i}` }),
  )
  const memory = server.rssMb()
  await server.close()
  const stats = JSON.parse(
    spawnSync(process.execPath, [join(root, 'dist/secretary.js'), 'stats', '--json'], {
      env: { ...process.env, ...env },
    }).stdout,
  )
  const inside = (tool) => stats.find((entry) => entry.tool === tool)?.p50Ms
  rmSync(scratch, { recursive: true, force: true })
  return {
    title: `Context: text search, reading and search by meaning on ${FOLDERS * FILES_EACH} files`,
    header: ['what', 'p50 ms', 'bare rg, same arguments', 'ratio'],
    rows: [
      ...rows.map(([what, ours, theirs]) => [
        what,
        ours.toFixed(1),
        theirs.toFixed(1),
        (ours / theirs).toFixed(2),
      ]),
      ['read_file', at(read, 0.5).toFixed(2), '', ''],
      ['read_file, inside the server', inside('read_file')?.toFixed(2) ?? '-', '', ''],
      ['read_file with dependencies', at(deps, 0.5).toFixed(2), '', ''],
      ['context_search', at(search, 0.5).toFixed(1), '', ''],
    ],
    notes: [
      `First index of the tree from the first question on: ${(indexMs / 1000).toFixed(1)} s; memory afterwards ${memory.toFixed(0)} MB. p95: read ${at(read, 0.95).toFixed(2)} ms, search ${at(search, 0.95).toFixed(1)} ms.`,
    ],
  }
}

async function load(root, scratch) {
  const outfile = join(scratch, 'grep.mjs')
  await build({
    entryPoints: [join(root, 'packages/secretary/src/context/grep/grep.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    plugins: [onlyOurs()],
    logLevel: 'silent',
  })
  return import(outfile)
}

async function untilIndexed(server) {
  const started = performance.now()
  while (performance.now() - started < INDEX_PATIENCE_MS) {
    const { result } = await server.call('context_search', { query: 'handler of orders' })
    if (!result.isError && !JSON.parse(result.content[0].text).partial)
      return performance.now() - started
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('the index did not become ready')
}

/** Taken in turns, so that a noisy moment of the machine touches both alike. */
async function inTurns(first, second) {
  const took = [[], []]
  for (let i = 0; i < RUNS; i++) {
    for (const [place, work] of [first, second].entries())
      took[place].push(...(await timed(1, work)))
  }
  return took.map((list) => list.sort((a, b) => a - b))
}

function makeTree(project) {
  for (let folder = 0; folder < FOLDERS; folder++) {
    mkdirSync(join(project, 'src', `module${folder}`), { recursive: true })
    for (let file = 0; file < FILES_EACH; file++)
      writeFileSync(join(project, pathOf(folder, file)), sourceOf(folder, file))
  }
}

const pathOf = (folder, file) => `src/module${folder}/part${file}.ts`

function sourceOf(folder, file) {
  const needle = folder % 20 === 0 && file === 7 ? `// rareNeedle${folder}\n` : ''
  const neighbour = file > 0 ? `import { handler${file - 1} } from './part${file - 1}.ts'\n` : ''
  return `${neighbour}${needle}
/** Handles order ${file} of module ${folder}. */
export function handler${file}(order: { id: number; lines: string[] }): string {
  const total = order.lines.length * ${folder + 1}
  return \`\${order.id}:\${total}\`
}
`
}
