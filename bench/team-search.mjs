// Search of what spaces share, in PostgreSQL with pgvector and without: a million notes of a thousand people.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createDatabase, query, runPostgres } from './run-postgres.mjs'
import { serve } from './serve.mjs'
import { fill, loadParts, NOTES, PEOPLE, sentences, TEAM } from './team-search-load.mjs'

const QUESTIONS = 300
const CALLS = 100
const WARM_UP = 20
const SETTINGS = ['shared_buffers=2GB', 'maintenance_work_mem=1GB', 'max_wal_size=8GB']
/** Reads every space: nobody should have to, and it shows what a very large one would cost. */
const IN_ALL_TEAMS = 'in-all-teams'

export async function teamSearch(root) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'secretary-team-search-')))
  const programs = programsWithVectors()
  const postgres = await runPostgres(root, programs)
  await postgres.end()
  await postgres.start(SETTINGS)
  try {
    const url = await createDatabase(postgres.url, 'team_search')
    const project = join(folder, 'project')
    mkdirSync(project)
    const parts = await loadParts(root)
    const opened = parts.open(url)
    const { seconds, megabytes } = await fill(root, opened, {
      url,
      project,
      redactionRules: parts.redactionRules,
    })
    await opened.database.close()
    const rows = []
    const measure = async (name) =>
      rows.push(...(await measured({ root, parts, url, folder, project, name })))
    if (seconds.shared_notes_by_signs) {
      await measure('with pgvector')
      await query(url, 'drop index shared_notes_by_signs')
    }
    await measure('without pgvector')
    const size = (name) => `${megabytes[name]} MB`
    const took = (name) => (seconds[name] ? `${Math.round(seconds[name])} s` : 'not built')
    return {
      title: `Search of spaces in PostgreSQL: ${NOTES.toLocaleString('en')} notes of ${PEOPLE.toLocaleString('en')} people in teams of ${TEAM}`,
      header: [
        '',
        'notes that the caller may read',
        'search in the store p50 · p95 ms',
        '`context_search` through a server p50 · p95 ms',
        'of the ten nearest, found',
      ],
      rows,
      notes: [
        `Writing the notes took ${Math.round(seconds.rows)} s (terms and vectors included, two at a time). Table ${size('shared_notes')}; index of words ${size('shared_notes_by_terms')}, built in ${took('shared_notes_by_terms')}; of places and signs ${size('shared_notes_by_place')}, ${took('shared_notes_by_place')}; of pgvector over the signs ${megabytes.shared_notes_by_signs ?? 0} MB, ${took('shared_notes_by_signs')}.`,
        `${QUESTIONS} questions of five words by random people, then ${CALLS} calls by one. PostgreSQL without fsync, ${SETTINGS[0]}, on the same cores as server and client. The nearest are those that comparing all vectors of the caller's spaces gives. Up to 60,000 notes both take the same way, so what differs there is how busy the machine was.`,
      ],
    }
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measured({ root, parts, url, folder, project, name }) {
  const { notes, store, database } = parts.open(url)
  const { sentence, next } = sentences(root, 7)
  const ask = async (user, count) => {
    const taken = []
    for (let n = 0; n < WARM_UP + count; n++) {
      const person = user ?? `person-${Math.floor(next() * PEOPLE)}`
      const question = { query: sentence(5) }
      const began = performance.now()
      await notes.find({ user: person, project }, spacesOf(person), question)
      taken.push(performance.now() - began)
    }
    return times(taken)
  }
  try {
    const few = await ask(undefined, QUESTIONS)
    const all = await ask(IN_ALL_TEAMS, CALLS / 2)
    const server = await throughServer({ root, url, folder, project, user: 'person-17' })
    const of = async (user) => [
      (await readable(url, user)).toLocaleString('en'),
      await nearestFound({ parts, store, url, project, user, sentence }),
    ]
    const [fewNotes, fewFound] = await of('person-17')
    const [allNotes, allFound] = await of(IN_ALL_TEAMS)
    return [
      [name, fewNotes, few, server, fewFound],
      [`${name}, a caller in all ${PEOPLE / TEAM} teams`, allNotes, all, '–', allFound],
    ]
  } finally {
    await database.close()
  }
}

function spacesOf(user) {
  if (user !== IN_ALL_TEAMS)
    return ['everybody', `team-${Math.floor(Number(user.slice('person-'.length)) / TEAM)}`]
  return ['everybody', ...Array.from({ length: PEOPLE / TEAM }, (_, n) => `team-${n}`)]
}

async function readable(url, user) {
  const [{ total }] = await query(
    url,
    'select count(*)::int as total from shared_notes where space_id = any($1)',
    [spacesOf(user)],
  )
  return total
}

async function throughServer({ root, url, folder, project, user }) {
  const server = await serve(root, {
    HOME: folder,
    SECRETARY_HOME: join(folder, 'home'),
    SECRETARY_PROJECT: project,
    SECRETARY_DATABASE_URL: url,
    SECRETARY_USER: user,
  })
  const client = new Client({ name: 'bench', version: '1' })
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
    const { sentence } = sentences(root, 9)
    const taken = []
    for (let n = 0; n < WARM_UP + CALLS; n++) {
      const began = performance.now()
      const answer = await client.callTool({
        name: 'context_search',
        arguments: { query: sentence(5) },
      })
      taken.push(performance.now() - began)
      if (answer.isError) throw new Error(answer.content[0].text)
    }
    return times(taken)
  } finally {
    await client.close()
    await server.stop()
  }
}

/** How many of the ten nearest by all vectors are among what the store finds by meaning. */
async function nearestFound({ parts, store, url, project, user, sentence }) {
  const vectors = await query(url, 'select id, vector from shared_notes where space_id = any($1)', [
    spacesOf(user),
  ])
  let found = 0
  const asked = 20
  for (let n = 0; n < asked; n++) {
    const { terms, vector } = await parts.reader.question(sentence(5))
    const near = highest(vectors, vector, 10)
    const question = {
      user,
      projects: [project],
      spaces: spacesOf(user),
      sources: ['discovery', 'session'],
      terms,
      vector,
    }
    const ids = new Set((await store.find(question)).map(({ note }) => note.id))
    found += near.filter((id) => ids.has(id)).length
  }
  return `${Math.round((100 * found) / (10 * asked))} %`
}

function highest(rows, vector, count) {
  const best = []
  for (const { id, vector: bytes } of rows) {
    let [product, squares] = [0, 0]
    for (let at = 0; at < vector.length; at++) {
      const cell = (bytes[at] << 24) >> 24
      product += vector[at] * cell
      squares += cell * cell
    }
    const score = product / Math.sqrt(squares)
    if (best.length === count && score <= best[count - 1].score) continue
    best.push({ id, score })
    best.sort((a, b) => b.score - a.score)
    best.length = Math.min(best.length, count)
  }
  return best.map(({ id }) => id)
}

function times(taken) {
  const sorted = taken.slice(WARM_UP).sort((a, b) => a - b)
  const at = (share) => sorted[Math.floor(sorted.length * share)].toFixed(1)
  return `${at(0.5)} · ${at(0.95)}`
}

/** Debian's, where pgvector is installed beside it; without it only the other half is measured. */
function programsWithVectors() {
  const place = '/usr/lib/postgresql'
  const versions = existsSync(place) ? readdirSync(place) : []
  const version = versions.find((one) =>
    existsSync(`/usr/share/postgresql/${one}/extension/vector.control`),
  )
  return version && join(place, version, 'bin')
}
