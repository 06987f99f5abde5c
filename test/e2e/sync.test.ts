import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { openDatabase } from '@secretary-mcp/secretary/storage/open-database.ts'
import { createKey, createSealer, parseKey, shownKey } from '@secretary-mcp/secretary/sync/seal.ts'
import {
  bySequence,
  type SegmentName,
  type Transport,
} from '@secretary-mcp/secretary/sync/segment.ts'
import { databaseTransport } from '@secretary-mcp/secretary/sync/store/database-transport.ts'
import { folderTransport } from '@secretary-mcp/secretary/sync/transports/folder-transport.ts'
import { describe, expect, it } from 'vitest'
import { freshPostgres } from '../support/engines.ts'
import { SyncHouse } from '../support/sync-house.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const GREET = `export function greet(name: string) {\n  return \`Hello, \${name}\`\n}\n`
const SECRET = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`
const FIRST = 'Greet people by name. Add a test for it.'
const DIALOGS = 'copilot_chat_secretary_'

interface Pair {
  readonly a: SyncHouse
  readonly b: SyncHouse
  /** Everything in the logs, decrypted. */
  logs(): Promise<string>
}

const init = (house: SyncHouse, ...args: string[]) =>
  JSON.parse(house.ok('sync', 'init', '--json', ...args)) as { key?: string }

async function throughFolder(): Promise<Pair> {
  const folder = temporaryFolder()
  const [a, b] = [new SyncHouse('laptop'), new SyncHouse('desktop')]
  const { key = '' } = init(a, '--folder', folder)
  init(b, '--folder', folder, '--key', key)
  return { a, b, logs: () => unsealed(folderTransport(folder), parseKey(key)) }
}

async function throughGit(): Promise<Pair> {
  const remote = join(temporaryFolder(), 'remote.git')
  execFileSync('git', ['init', '--quiet', '--bare', remote])
  const [a, b] = [new SyncHouse('laptop'), new SyncHouse('desktop')]
  const { key = '' } = init(a, '--git', remote)
  init(b, '--git', remote, '--key', key)
  const logs = async () => {
    const folder = join(temporaryFolder(), 'clone')
    execFileSync('git', ['clone', '--quiet', '--branch', 'secretary-sync', remote, folder])
    return unsealed(folderTransport(folder), parseKey(key))
  }
  return { a, b, logs }
}

async function throughDatabase(): Promise<Pair> {
  const databaseUrl = await freshPostgres()
  const env = { SECRETARY_DATABASE_URL: databaseUrl }
  const [a, b] = [new SyncHouse('laptop', env), new SyncHouse('desktop', env)]
  for (const house of [a, b]) expect(init(house, '--database').key).toBeUndefined()
  const logs = async () => {
    const database = openDatabase({ home: '', databaseUrl }, silentLog)
    try {
      return await unsealed(databaseTransport(database, 'ada'), undefined)
    } finally {
      await database.close()
    }
  }
  return { a, b, logs }
}

async function unsealed(transport: Transport, key: Buffer | undefined): Promise<string> {
  const sealer = createSealer(key)
  let chain = ''
  let last: SegmentName | undefined
  const said: unknown[] = []
  const names = await transport.list()
  names.sort((one, other) => one.machine.localeCompare(other.machine) || bySequence(one, other))
  for (const name of names) {
    if (name.machine !== last?.machine || name.generation !== last.generation) chain = ''
    last = name
    const opened = sealer.open(name, chain, (await transport.read(name)) ?? new Uint8Array())
    if (opened === 'torn') throw new Error('torn')
    chain = opened.chain
    said.push(...opened.records)
  }
  return JSON.stringify(said)
}

function work(a: SyncHouse, b: SyncHouse): void {
  a.home.claude('cc-deeds.jsonl', a.home.sample('claude-code/deeds.jsonl'))
  a.home.codex()
  const secret = `Deploy the zebrafinch with ${SECRET} please, in tangerine`
  const line = { type: 'user', cwd: a.home.project, timestamp: '2026-02-15T10:00:00Z' }
  const asked = JSON.stringify({ ...line, message: { content: secret } })
  a.home.claude('cc-secret.jsonl', `${asked}\n`)
  for (const house of [a, b]) house.write('src/greet.ts', GREET)
  a.call('add_task', { title: 'Order more birdseed', description: `Use ${SECRET}` })
  a.call('record_discovery', {
    type: 'decision',
    content: 'Prices of the aviary are kept in cents',
  })
}

describe.each([
  { name: 'a folder', connect: throughFolder },
  { name: 'a git remote', connect: throughGit },
  { name: 'the team’s database', connect: throughDatabase },
])('two machines and $name', ({ connect }) => {
  it('what was done on one is known on the other, and what is forgotten there is gone here', async () => {
    const { a, b, logs } = await connect()
    work(a, b)
    expect(b.call<object>(`${DIALOGS}search_requests`, { query: 'greet people' })).toMatchObject({
      results: [],
    })
    expect(a.ok('sync', '--dry-run')).toContain('Would send 3 dialogs')
    expect(a.ok('sync')).toMatch(/^Sent 3 dialogs.*\nReceived nothing\n$/)
    expect(b.ok('sync')).toMatch(/^Sent nothing\nReceived 3 dialogs/)
    expect(b.ok('sync')).toBe('Sent nothing\nReceived nothing\n')

    expect(b.ok('dialogs')).toMatch(/Not shown: \d dialogs of laptop:\S+ \(same origin\)/)
    b.ok('same-project', '--all', '--yes')
    expect(b.call(`${DIALOGS}search_requests`, { query: 'greet people by name' })).toMatchObject({
      results: expect.arrayContaining([
        expect.objectContaining({ sessionId: 'cc-deeds', index: 1 }),
      ]),
    })
    expect(b.call(`${DIALOGS}get_request`, { sessionId: 'cc-deeds', index: 1 })).toMatchObject({
      request: FIRST,
      fileGone: true,
    })
    expect(JSON.parse(b.ok('why', 'src/greet.ts:2', '--json'))).toMatchObject({
      requests: [{ sessionId: 'cc-deeds', index: 1, request: FIRST }],
    })
    expect(b.ok('ledger', 'cc-deeds')).toMatch(/^1\. committed.* Greet people by name/m)
    expect(b.ok('recall')).toContain('zebrafinch')
    expect(b.ok('recall')).toContain('aviary')
    expect(b.call('list_tasks')).toMatchObject({
      data: { tasks: [{ title: 'Order more birdseed' }] },
    })
    // Until the dialogs are read, a search answers from what there is.
    b.ok('index')
    const found = b.call<{ results: { source: string; content: string }[] }>('context_search', {
      query: 'prices of the aviary in cents',
    })
    expect(found.results.map(({ content }) => content).join('\n')).toContain('aviary')
    const said = b.call<{ results: { session?: string }[] }>('context_search', {
      query: 'deploy the zebrafinch',
    })
    expect(said.results.map(({ session }) => session)).toContain('cc-secret')

    const log = await logs()
    expect(log).toContain('zebrafinch')
    expect(log).not.toContain(SECRET)
    expect(log).not.toContain(SECRET.slice(4, 30))
    expect(b.ok('dialogs', 'show', 'cc-secret')).toContain('[redacted')

    a.ok('forget', 'cc-secret', '--yes')
    expect(a.ok('sync')).toContain('forgotten')
    expect(b.ok('sync')).toContain('Received 1 forgotten')
    expect(b.run(['dialogs', 'search', 'zebrafinch'])).toMatchObject({ status: 1 })
    expect(b.run(['dialogs', 'show', 'cc-secret']).stderr).toContain('Session not found')
    expect(await logs()).not.toContain('zebrafinch')
    expect(holding(b.stored, 'tangerine')).toEqual([])
    expect(b.ok('sync')).toBe('Sent nothing\nReceived nothing\n')

    b.ok('forget', 'cc-deeds', '--yes')
    b.ok('sync')
    expect(a.ok('sync')).toContain('Received 1 forgotten')
    expect(a.run(['dialogs', 'show', 'cc-deeds']).stderr).toContain('Session not found')
    expect(await logs()).not.toContain('Greet people by name')
    expect(existsSync(join(a.home.claudeFolder(), 'cc-deeds.jsonl'))).toBe(true)
  })
})

describe('secretary sync', () => {
  it('goes on where a round was killed, at whatever moment', async () => {
    const folder = temporaryFolder()
    const [a, b] = [new SyncHouse('laptop'), new SyncHouse('desktop')]
    const { key = '' } = init(a, '--folder', folder)
    init(b, '--folder', folder, '--key', key)
    work(a, b)
    for (const house of [a, b]) {
      const round = house.begin(['sync'])
      const ended = once(round, 'exit')
      // The first trace of the round: its lock, or what it has written so far.
      const isAtIt = () =>
        existsSync(join(house.own, 'sync.db-lock')) || readdirSync(folder).length > 1
      while (!isAtIt() && round.exitCode === null) await setImmediate()
      round.kill('SIGKILL')
      await ended
      house.ok('sync')
    }
    a.ok('sync')
    expect(b.ok('sync')).toBe('Sent nothing\nReceived nothing\n')
    expect(b.call('list_tasks')).toMatchObject({ data: { total: 1 } })
    b.ok('same-project', '--all', '--yes')
    expect(b.ok('dialogs')).toContain('cc-deeds')
    expect(a.call('list_tasks')).toMatchObject({ data: { total: 1 } })
  })

  it('a server that runs meanwhile answers for what came', async () => {
    const folder = temporaryFolder()
    const [a, b] = [new SyncHouse('laptop'), new SyncHouse('desktop')]
    const { key = '' } = init(a, '--folder', folder)
    const typed = b.run(['sync', 'init', '--folder', folder, '--key', '-'], {}, `${key}\n`)
    expect(typed.status).toBe(0)
    work(a, b)
    const server = await b.connect()
    const why = async () =>
      (await server.call(`${DIALOGS}why`, { file: 'src/greet.ts', line: 2 })).body
    expect(await why()).toMatchObject({ requests: [] })
    a.ok('sync')
    b.ok('sync')
    expect(await why()).toMatchObject({ requests: [] })
    b.ok('same-project', '--all', '--yes')
    expect(await why()).toMatchObject({ requests: [{ sessionId: 'cc-deeds', index: 1 }] })
    const { body } = await server.call(`${DIALOGS}list_dialogs`)
    expect(body).toMatchObject({ total: 3 })
    expect((await server.call('list_tasks')).body).toMatchObject({ data: { total: 1 } })
    await server.close()
  })

  it('says what is missing, and changes nothing with another key', () => {
    const folder = temporaryFolder()
    const [a, b] = [new SyncHouse('laptop'), new SyncHouse('desktop')]
    expect(a.run(['sync'])).toMatchObject({
      status: 1,
      stderr: 'Run `secretary sync init` first\n',
    })
    expect(a.run(['sync', 'init'])).toMatchObject({ status: 2 })
    expect(a.run(['sync', 'init', '--database'])).toMatchObject({ status: 2 })
    expect(a.run(['sync', 'init', '--folder', join(folder, 'none')])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('the folder is not there'),
    })
    const first = a.ok('sync', 'init', '--folder', folder)
    expect(first).toMatch(/\n {2}(?:[0-9a-z]{7}-){7}[0-9a-z]{7}\n/)
    expect(statSync(join(a.own, 'sync.json')).mode & 0o777).toBe(0o600)
    expect(a.run(['sync', 'init', '--folder', folder]).stderr).toContain('already')
    a.call('add_task', { title: 'one' })
    a.ok('sync')
    expect(b.run(['sync', 'init', '--folder', folder])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('enter the key'),
    })
    const another = shownKey(createKey())
    for (const args of [
      ['--key', another],
      ['--key', 'nonsense'],
    ])
      expect(b.run(['sync', 'init', '--folder', folder, ...args]), args[1]).toMatchObject({
        status: 1,
      })
    expect(existsSync(join(b.own, 'sync.json'))).toBe(false)
    const key = /^ {2}(\S+)$/m.exec(first)?.[1] ?? ''
    const env = { SECRETARY_SYNC_KEY: key }
    expect(b.run(['sync', 'init', '--folder', folder], env)).toMatchObject({ status: 0 })
    expect(readFileSync(join(b.own, 'sync.json'), 'utf8')).not.toContain(key)
    expect(b.run(['sync'], { SECRETARY_SYNC_KEY: another })).toMatchObject({ status: 1 })
    expect(b.call('list_tasks')).toMatchObject({ data: { total: 0 } })
    expect(readdirSync(folder)).toHaveLength(1)
    expect(b.run(['sync'], env).stdout).toBe('Sent nothing\nReceived 1 task\n')
    expect(a.ok('sync', 'status')).toMatch(/^Through .*, encrypted, as [0-9a-f]{16}\nHeard from 0/)
    a.ok('sync', 'leave', '--remove')
    expect(
      readdirSync(folder, { recursive: true }).filter((name) => /seal/.test(String(name))),
    ).toEqual([])
    expect(a.run(['sync', 'status'])).toMatchObject({ status: 1 })
    expect(existsSync(join(a.own, 'sync.db'))).toBe(false)
    a.ok('sync', 'init', '--folder', folder, '--key', key)
    a.ok('sync')
    b.run(['sync'], env)
    for (const house of [a, b])
      expect(house.call('list_tasks')).toMatchObject({ data: { total: 1 } })
  })
})

/** The files below a folder that hold a word. */
function holding(folder: string, word: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name)
    return statSync(path).isFile() && readFileSync(path).includes(word)
  })
}
