// How fast get_content answers over 1,000 documents, and that a change on disk shows in the next call.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at, connect, timed } from './stdio-client.mjs'

const FOLDERS = 20
const DOCUMENTS = 1_000
const CALLS = 300
const TARGET_MS = 10

export async function guide(root) {
  const folder = mkdtempSync(join(tmpdir(), 'secretary-bench-'))
  try {
    const docroot = join(folder, 'docroot')
    const project = join(folder, 'project')
    mkdirSync(project)
    for (let place = 0; place < DOCUMENTS; place++) writeDocument(docroot, place)
    const server = await connect([join(root, 'dist/secretary.js'), 'mcp'], {
      env: { HOME: folder, SECRETARY_HOME: folder, SECRETARY_PROJECT: project },
    })
    const ask = (expression) => server.call('guide_get_content', { expression })
    const { result } = await ask('many')
    if (result.structuredContent.value.total !== DOCUMENTS)
      throw new Error('the documents were not found')
    const rows = []
    for (const [what, expression] of [
      ['one document by name', 'many/f7/d7'],
      ['a folder of 50', 'many/f7'],
      ['all 1,000, the first page', 'many'],
    ]) {
      const warm = await timed(CALLS, () => ask(expression))
      rows.push([
        what,
        ...[at(warm, 0.5), at(warm, 0.95), at(warm, 0.99)].map((ms) => ms.toFixed(2)),
      ])
    }
    const fresh = await showsChange(ask, join(docroot, 'many/f7/d7.md'))
    await server.close()
    return {
      title: 'Guide: get_content over 1,000 documents, through MCP on stdio',
      header: ['asked', 'p50 ms', 'p95 ms', 'p99 ms'],
      rows,
      notes: [
        `Target: under ${TARGET_MS} ms p50 warm: ${rows.every((row) => Number(row[1]) < TARGET_MS) ? 'met' : 'MISSED'}.`,
        `A change on disk shows in the next call: ${fresh ? 'yes, 50 times out of 50' : 'NO'}.`,
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function writeDocument(docroot, place) {
  const path = join(docroot, 'many', `f${place % FOLDERS}`)
  mkdirSync(path, { recursive: true })
  const body = 'A line of some length. '.repeat(40)
  writeFileSync(
    join(path, `d${place}.md`),
    `---\ndescription: Rule ${place}\ntags: [bench]\n---\n# Rule ${place}\n${body}\n`,
  )
}

async function showsChange(ask, path) {
  for (let change = 10; change < 60; change++) {
    writeFileSync(path, `text ${change}`)
    const { result } = await ask('many/f7/d7')
    if (result.structuredContent.value.content !== `text ${change}\n`) return false
  }
  return true
}
