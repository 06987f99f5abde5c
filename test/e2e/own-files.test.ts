import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { ownFolder } from '@secretary-mcp/secretary/app/own-files.ts'
import { describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { binary, connectStdio, isolatedEnvironment } from '../support/mcp-client.ts'
import { publishedClone } from '../support/published-clone.ts'
import { runProgram } from '../support/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { keepWorkedDialog } from '../support/worked-dialog.ts'

const CODE = 'export function partOfWords(amount: number): number {\n'
const tool = (name: string) => `copilot_chat_secretary_${name}`
/** Claude Code deletes its files after 30 days, so one of that age is kept as soon as it is read. */
const DAYS_AGO = Date.now() - 40 * 86_400_000

/** People who use one SECRETARY_HOME, each with agents and a clone of their own. */
class SharedHome {
  readonly stored = join(temporaryFolder(), 'secretary')
  readonly #machines = new Map<string, AgentsHome>()

  person(user: string, word: string): AgentsHome {
    const home = new AgentsHome(temporaryFolder())
    publishedClone(home.project, { [`src/${user}.ts`]: CODE })
    const acts = [
      { run: `npm test ${word}`, output: `Error: ${word} broke`, fails: true },
      { write: `src/${user}.ts`, text: CODE },
      { run: `npm test ${word}` },
    ]
    const turn = { ask: `Always build ${word}.`, acts, says: `It is ${word} now.`, minutesAgo: 0 }
    keepWorkedDialog(home, `said-by-${user}`, [turn], { lastAt: DAYS_AGO })
    this.#machines.set(user, home)
    return home
  }

  env(user: string): Record<string, string> {
    const machine = this.#machines.get(user)
    return isolatedEnvironment({
      ...machine?.env,
      SECRETARY_HOME: this.stored,
      SECRETARY_USER: user,
      SECRETARY_RATE_LIMITS: 'off',
    })
  }

  run(user: string, ...args: string[]) {
    return spawnSync(process.execPath, [binary, ...args], { env: this.env(user), encoding: 'utf8' })
  }

  call(user: string, name: string, args: object = {}): string {
    return this.run(user, 'call', name, JSON.stringify(args)).stdout
  }

  /** Every answer that draws on dialogs, on deeds, on what is kept, or on the index of all that. */
  async answers(user: string): Promise<string[]> {
    const agent = await connectStdio({ env: this.env(user) })
    const error = `Error: ${user === 'ada' ? 'zeppelins' : 'submarines'} broke`
    const asked: readonly (readonly [string, object])[] = [
      [tool('list_dialogs'), { everywhere: true }],
      [tool('search_requests'), { query: 'always build' }],
      [tool('how'), { what: 'run the tests' }],
      [tool('fix'), { error }],
      [tool('why'), { file: `src/${user}.ts`, line: 1 }],
      [tool('ledger'), { sessionId: `said-by-${user}` }],
      [tool('recall'), {}],
      ['context_search', { query: 'always build words', limit: 20 }],
      ['context_pack', { goal: 'build the words' }],
    ]
    try {
      const answers: string[] = []
      // A person without a dialog of their own here has nothing to recall.
      for (const [name, args] of asked)
        answers.push(
          JSON.stringify(
            (await (name === tool('recall') ? agent.attempt : agent.call)(name, { ...args })).body,
          ),
        )
      return answers
    } finally {
      await agent.close()
    }
  }

  /** As earlier versions left it: one file of kept dialogs and one of deeds, for everybody. */
  asBefore(): void {
    const kept = join(this.stored, 'kept.db')
    for (const user of readdirSync(join(this.stored, 'users'))) {
      const own = ownFolder(this.stored, user)
      if (existsSync(kept)) {
        const all = new DatabaseSync(kept)
        all.prepare('ATTACH ? AS own').run(join(own, 'kept.db'))
        all.exec('INSERT INTO kept SELECT * FROM own.kept')
        all.exec('INSERT INTO forgotten SELECT * FROM own.forgotten')
        all.close()
      } else renameSync(join(own, 'kept.db'), kept)
      renameSync(join(own, 'deeds.db'), join(this.stored, 'deeds.db'))
    }
    rmSync(join(this.stored, 'users'), { recursive: true })
  }
}

function shared() {
  const home = new SharedHome()
  const machines = { ada: home.person('ada', 'zeppelins'), bob: home.person('bob', 'submarines') }
  return { home, machines }
}

const OTHERS = { ada: /submarine|said-by-bob/, bob: /zeppelin|said-by-ada/ }

async function expectOwnAlone(home: SharedHome, user: 'ada' | 'bob', own: RegExp) {
  const answers = await home.answers(user)
  for (const answer of answers) expect(answer).not.toMatch(OTHERS[user])
  const [list, search, how, fix, why, ledger] = answers
  for (const answer of [list, search, how, fix, why, ledger]) expect(answer).toMatch(own)
}

describe('two users of one SECRETARY_HOME', () => {
  it('find their own dialogs and deeds there, and nothing of each other’s', async () => {
    const { home } = shared()
    await expectOwnAlone(home, 'ada', /zeppelin|said-by-ada/)
    await expectOwnAlone(home, 'bob', /submarine|said-by-bob/)
    await expectOwnAlone(home, 'ada', /zeppelin|said-by-ada/)
  })

  it('have a sync of their own', () => {
    const { home } = shared()
    const folder = temporaryFolder()
    expect(home.run('ada', 'sync', 'init', '--folder', folder).status).toBe(0)
    expect(home.run('ada', 'sync').status).toBe(0)
    expect(home.run('bob', 'sync')).toMatchObject({ status: 1 })
  })
})

describe('a SECRETARY_HOME of an earlier version', () => {
  /** Read, kept, and the agents have deleted their files since. */
  function earlierHome() {
    const { home, machines } = shared()
    for (const user of ['ada', 'bob'] as const) {
      home.call(user, tool('list_dialogs'))
      for (const name of readdirSync(machines[user].claudeFolder()))
        rmSync(join(machines[user].claudeFolder(), name))
    }
    home.asBefore()
    return { home, machines }
  }

  const firstWords = (home: SharedHome, user: string, of = user) =>
    JSON.parse(home.call(user, tool('get_request'), { sessionId: `said-by-${of}`, index: 1 }))

  it('is taken over by each user for themselves, with nothing lost', async () => {
    const { home } = earlierHome()
    for (const user of ['ada', 'bob'] as const)
      await expectOwnAlone(home, user, /zeppelin|submarine/)
    expect(firstWords(home, 'ada').request).toBe('Always build zeppelins.')
    expect(firstWords(home, 'bob').request).toBe('Always build submarines.')
    expect(firstWords(home, 'bob', 'ada').error).toBe('Session not found: said-by-ada')
    for (const name of ['kept.db', 'deeds.db'])
      expect(existsSync(join(home.stored, name)), name).toBe(false)
  })

  it('gives back what came from another user’s file, also to an index', async () => {
    const { home } = earlierHome()
    const index = new DatabaseSync(join(home.stored, 'secretary.db'))
    // As the file for all was taken over into everybody's index.
    index.exec(`INSERT INTO dialogs SELECT 'bob@${hostname()}', ${columns(index)} FROM dialogs
      WHERE owner = 'ada@${hostname()}'`)
    index.close()
    for (const user of ['bob', 'ada'] as const)
      await expectOwnAlone(home, user, /zeppelin|submarine/)
    expect(firstWords(home, 'ada').request).toBe('Always build zeppelins.')
  })

  it('is not lost with its database', () => {
    const { home } = earlierHome()
    for (const name of readdirSync(home.stored))
      if (name.startsWith('secretary.db')) rmSync(join(home.stored, name))
    expect(firstWords(home, 'bob').request).toBe('Always build submarines.')
    expect(firstWords(home, 'ada').request).toBe('Always build zeppelins.')
    expect(firstWords(home, 'bob', 'ada').error).toBe('Session not found: said-by-ada')
  })

  it('is taken over once by many processes that start together', async () => {
    const { home } = earlierHome()
    const args = [binary, 'call', tool('list_dialogs'), '{}']
    const answers = await Promise.all(
      ['ada', 'bob', 'ada', 'bob', 'ada'].map((user) =>
        runProgram(process.execPath, args, { env: home.env(user) }),
      ),
    )
    for (const { status, stderr } of answers) expect([status, stderr]).toEqual([0, ''])
    expect(firstWords(home, 'ada').request).toBe('Always build zeppelins.')
    expect(firstWords(home, 'bob').request).toBe('Always build submarines.')
  })

  it('keeps what was forgotten forgotten, and forgets also what waits there for others', () => {
    const { home } = shared()
    home.call('ada', tool('list_dialogs'))
    expect(home.run('ada', 'forget', 'said-by-ada', '--yes').status).toBe(0)
    home.asBefore()
    expect(firstWords(home, 'ada').error).toBe('Session not found: said-by-ada')
    home.call('bob', tool('list_dialogs'))
    // Cyd has the agents of bob, so nobody can say whose it is alone.
    rmSync(join(home.stored, 'kept.db'), { force: true })
    home.asBefore()
    const index = new DatabaseSync(join(home.stored, 'secretary.db'))
    index.exec(`INSERT INTO dialogs SELECT 'cyd@${hostname()}', ${columns(index)} FROM dialogs
      WHERE owner = 'bob@${hostname()}'`)
    index.close()
    home.call('bob', tool('list_dialogs'))
    expect(rowsIn(join(home.stored, 'kept.db'))).toBe(1)
    expect(home.run('bob', 'forget', 'said-by-bob', '--yes').status).toBe(0)
    expect(rowsIn(join(home.stored, 'kept.db'))).toBe(0)
  })

  it('hands its sync to the only user, and to nobody where there are several', () => {
    const { home } = shared()
    const folder = temporaryFolder()
    home.run('ada', 'sync', 'init', '--folder', folder)
    home.run('ada', 'sync')
    const back = () => {
      for (const name of ['sync.json', 'sync.db'])
        renameSync(join(ownFolder(home.stored, 'ada'), name), join(home.stored, name))
    }
    back()
    const again = home.run('ada', 'sync')
    expect([again.stdout, again.stderr]).toEqual(['Sent nothing\nReceived nothing\n', ''])
    back()
    home.call('bob', tool('list_dialogs'))
    expect(home.run('bob', 'sync')).toMatchObject({ status: 1 })
    expect(existsSync(join(home.stored, 'sync.json'))).toBe(true)
  })
})

function columns(index: InstanceType<typeof DatabaseSync>): string {
  const rows = index.prepare("SELECT name FROM pragma_table_info('dialogs')").all() as {
    name: string
  }[]
  return rows.flatMap(({ name }) => (name === 'owner' ? [] : name)).join(', ')
}

function rowsIn(path: string): number {
  const file = new DatabaseSync(path)
  const row = file.prepare('SELECT count(*) AS n FROM kept').get() as { n: number }
  file.close()
  return row.n
}
