// A million notes of a thousand people, through the product's own writing, and the product's own search over them.
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { onlyOurs } from '../scripts/only-ours.mjs'
import { query } from './run-postgres.mjs'

export const NOTES = Number(process.env.BENCH_NOTES ?? 1_000_000)
export const PEOPLE = 1_000
export const TEAM = 10
const EVERYBODYS = Math.min(10_000, NOTES / 10)
const BATCH = 2_000
const INDEXES = {
  shared_notes_by_terms: 'using gin (terms)',
  shared_notes_by_place: '(space_id, project) include (key, signs)',
  shared_notes_by_signs: 'using hnsw (signs bit_hamming_ops)',
}

/** The product's parts, as they stand in src. */
export async function loadParts(root) {
  const outfile = join(root, 'node_modules', '.bench-team-search.mjs')
  mkdirSync(dirname(outfile), { recursive: true })
  const modules = {
    openDatabase: 'packages/secretary/src/storage/open-database.ts',
    createSpaceNoteStore: 'packages/secretary/src/context/space-notes/postgres/space-note-store.ts',
    SpaceNotes: 'packages/secretary/src/context/space-notes/space-notes.ts',
    createNoteReader: 'packages/search/src/note-reader.ts',
    createStaticEmbedder: 'packages/search/src/embedder/static-embedder.ts',
    MINILM_STATIC: 'packages/search/src/embedder/static-embedder.ts',
    createBridges: 'packages/search/src/languages/bridge.ts',
    silentLog: 'packages/core/src/log.ts',
    REDACTION_RULES: 'packages/core/src/redact.ts',
  }
  const contents = Object.entries(modules).map(
    ([name, path]) => `export { ${name} } from './${path}'`,
  )
  await build({
    stdin: { contents: contents.join('\n'), resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    splitting: false,
    platform: 'node',
    format: 'esm',
    plugins: [onlyOurs()],
    logLevel: 'error',
  })
  const parts = await import(pathToFileURL(outfile).href)
  const path = join(root, 'assets/embeddings', parts.MINILM_STATIC.file)
  const embedder = parts.createStaticEmbedder({ ...parts.MINILM_STATIC, path })
  const bridges = parts.createBridges(join(root, 'assets/bridges'))
  const reader = parts.createNoteReader(embedder, bridges)
  return {
    reader,
    redactionRules: parts.REDACTION_RULES,
    /** Notes of spaces, as a server has them. */
    open(databaseUrl) {
      const database = parts.openDatabase({ home: '/nowhere', databaseUrl }, parts.silentLog)
      const store = parts.createSpaceNoteStore(database)
      const notes = new parts.SpaceNotes({
        open: async () => ({ store, reader }),
        log: parts.silentLog,
      })
      return { database, notes, store }
    },
  }
}

/** Sentences of words as often as they occur in code and its comments. */
export function sentences(root, seed = 1) {
  const words = readFileSync(join(root, 'scripts/distil/word-counts.tsv'), 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t')[0])
    .filter((word) => /^[a-z]{3,}$/.test(word))
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  // The frequent ones often, the others seldom.
  const word = () => words[Math.floor(words.length * next() ** 2)]
  return { next, sentence: (length) => Array.from({ length }, word).join(' ') }
}

/** Indexes come last: so a million rows take minutes. What they took and weigh comes back. */
export async function fill(root, { notes, database }, { url, project, redactionRules }) {
  const { sentence } = sentences(root)
  await database.use(async () => {})
  const teams = PEOPLE / TEAM
  await query(
    url,
    `insert into spaces (id, name, created_by, created_at) select 'team-' || n, 'team ' || n, 'person-0', now()::text from generate_series(0, ${teams - 1}) n`,
  )
  await query(
    url,
    `insert into space_members (space_id, user_id, role) select 'team-' || n / ${TEAM}, 'person-' || n, 'member' from generate_series(0, ${PEOPLE - 1}) n`,
  )
  await query(
    url,
    `insert into space_members (space_id, user_id, role) select 'team-' || n, 'in-all-teams', 'reader' from generate_series(0, ${teams - 1}) n`,
  )
  const hasVectors =
    (await query(url, "select to_regclass('shared_notes_by_signs') as name"))[0].name !== null
  for (const name of Object.keys(INDEXES)) await query(url, `drop index if exists ${name}`)
  const began = performance.now()
  const note = (n) => {
    const person = n % PEOPLE
    const space = n < EVERYBODYS ? 'everybody' : `team-${Math.floor(person / TEAM)}`
    const date = new Date(Date.now() - n * 60_000).toISOString()
    return {
      id: `note-${n}`,
      space,
      project,
      source: 'discovery',
      type: 'decision',
      content: sentence(14),
      date,
      author: `person-${person}`,
    }
  }
  for (let from = 0; from < NOTES; from += 2 * BATCH)
    await Promise.all(
      [from, from + BATCH].map((start) =>
        notes.put(Array.from({ length: BATCH }, (_, n) => note(start + n))),
      ),
    )
  const seconds = { rows: (performance.now() - began) / 1000 }
  await query(
    url,
    `insert into discoveries (id, user_id, project, type, content, origin, confidence, created_at, files, said, space_id)
    select id, author, project, type, content, 'recorded', 1, date, '[]', md5(content), space_id from shared_notes`,
  )
  // As where a server stored them: otherwise the first one would look through all of them for secrets meanwhile.
  await query(url, 'insert into redactions (name, rules) values ($1, $2)', [
    'discoveries',
    redactionRules,
  ])
  for (const [name, how] of Object.entries(INDEXES)) {
    if (name === 'shared_notes_by_signs' && !hasVectors) continue
    const start = performance.now()
    await query(url, `create index ${name} on shared_notes ${how}`)
    seconds[name] = (performance.now() - start) / 1000
  }
  await query(url, 'vacuum analyze')
  const sizes = await query(
    url,
    "select indexrelname as name, pg_relation_size(indexrelid) as bytes from pg_stat_user_indexes where relname = 'shared_notes' union all select 'shared_notes', pg_table_size('shared_notes')",
  )
  return {
    seconds,
    megabytes: Object.fromEntries(
      sizes.map(({ name, bytes }) => [name, Math.round(bytes / 2 ** 20)]),
    ),
  }
}
