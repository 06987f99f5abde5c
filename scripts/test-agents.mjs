// Installs the real agents where they are not there yet and proves Secretary with each. Names of agents choose some of them;
// `--write` keeps the result in docs/agents.json, from which the README's table is made.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { agentIds, installAgent, versionOf } from '../test/agents/install-agents.mjs'
import { reportMissingPrograms } from './system-programs.mjs'
import { runVitestTwice } from './vitest-run.mjs'

const given = process.argv.slice(2)
const chosen = given.filter((name) => !name.startsWith('--'))
const proofs = Object.entries(JSON.parse(readFileSync('test/agents/proofs.json', 'utf8')))

if (reportMissingPrograms('agents')) {
  console.log('0 passed, 1 failed')
  process.exit(1)
}
const ready = []
const missing = []
let failed = 0
/** Reads the README's first lines with three agents. */
const NEWCOMER = 'newcomer'
const wanted = chosen.length > 0 ? chosen : [...agentIds, NEWCOMER]
// Each agent is proven beside one of the first two.
const beside = ['claude-code', 'codex', ...(wanted.includes(NEWCOMER) ? ['opencode'] : [])]
for (const id of new Set([...wanted.filter((name) => name !== NEWCOMER), ...beside])) {
  if (!existsSync(testOf(id))) continue
  try {
    const why = installAgent(id)
    if (!wanted.includes(id)) continue
    if (why === undefined) ready.push(id)
    else missing.push(`${id} ${versionOf(id)} is not proven: ${why}`)
  } catch (error) {
    failed++
    console.error(error instanceof Error ? error.message : error)
  }
}
if (wanted.includes(NEWCOMER)) ready.push(NEWCOMER)
let passed = 0
const proven = ready.length > 0 ? await prove() : {}
for (const [id, names] of Object.entries(proven))
  console.log(`${id} ${versionOf(id)}: ${names.join(', ') || 'nothing proven'}`)
for (const line of missing) console.log(line)
if (given.includes('--write')) keep()
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

function testOf(id) {
  return `test/agents/${id}.test.ts`
}

async function prove() {
  const run = await runVitestTwice(['-c', 'test/agents/vitest.config.ts'], ready.map(testOf))
  failed += run.failed
  passed += run.passed
  const ofAgents = run.files.filter(({ name }) => basename(name, '.test.ts') !== NEWCOMER)
  return Object.fromEntries(
    ofAgents.map(({ name, assertionResults }) => [
      basename(name, '.test.ts'),
      proofs
        .filter(([, title]) =>
          assertionResults.some((one) => one.title === title && one.status === 'passed'),
        )
        .map(([proof]) => proof),
    ]),
  )
}

function keep() {
  const path = 'docs/agents.json'
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  for (const [id, names] of Object.entries(proven))
    known[id] = { version: versionOf(id), proven: names }
  const sorted = Object.fromEntries(
    agentIds.filter((id) => id in known).map((id) => [id, known[id]]),
  )
  writeFileSync(path, `${JSON.stringify(sorted, null, 2)}\n`)
}
