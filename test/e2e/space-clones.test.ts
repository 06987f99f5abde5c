import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { engines } from '../support/engines.ts'
import { binary, connectStdio, isolatedEnvironment } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ORIGINS = ['git@git.example.com:team/shop.git', 'https://git.example.com/team/shop']

interface Found {
  readonly results: readonly { readonly content: string; readonly space?: string }[]
}

function clone(origin: string): string {
  const folder = temporaryFolder()
  execFileSync('git', ['init', '-q', folder])
  execFileSync('git', ['-C', folder, 'remote', 'add', 'origin', origin])
  return folder
}

describe.each(engines)('two people with a clone each on $name', (engine) => {
  /** Each person has a machine: on PostgreSQL with a home of its own. */
  async function setUp() {
    const settings = await engine.fresh()
    const environmentOf = (user: string, project: string) =>
      isolatedEnvironment({
        ...settings,
        ...(engine.name === 'postgres' ? { SECRETARY_HOME: join(temporaryFolder(), 'home') } : {}),
        SECRETARY_USER: user,
        SECRETARY_PROJECT: project,
      })
    const [first = '', second = ''] = ORIGINS.map(clone)
    const people = { ada: environmentOf('ada', first), bob: environmentOf('bob', second) }
    const secretary = (env: Record<string, string>, ...args: string[]) => {
      const { status, stderr } = spawnSync(process.execPath, [binary, ...args], {
        env,
        encoding: 'utf8',
      })
      expect(status, stderr).toBe(0)
    }
    secretary(people.ada, 'team', 'create', 'web')
    secretary(people.ada, 'team', 'add', 'web', 'bob', '--role', 'reader')
    secretary(people.bob, 'team', 'accept', 'web')
    const [ada, bob] = await Promise.all(
      [people.ada, people.bob].map((env) => connectStdio({ env })),
    )
    if (!ada || !bob) throw new Error('two servers were started')
    onTestFinished(async () => void (await Promise.all([ada.close(), bob.close()])))
    return { ada, bob, people, secretary }
  }

  it('find what the other recorded for their space, in another folder and after an earlier search', async () => {
    const { ada, bob } = await setUp()
    const record = (content: string) =>
      ada.call('record_discovery', { type: 'decision', content, space: 'web' })
    const search = async (query: string) =>
      (await bob.call<Found>('context_search', { query, limit: 10 })).body.results
    await record('Prices are stored in cents, never as floating point numbers')
    expect(await search('how are prices stored')).toMatchObject([{ space: 'web' }])
    await record('Invoices are rounded half up, per line')
    const [best] = await search('how do we round an invoice')
    expect(best).toMatchObject({ content: 'Invoices are rounded half up, per line', space: 'web' })
  })

  it('keep what is their own to themselves', async () => {
    const { ada, bob } = await setUp()
    const content = 'Prices are stored in cents'
    await ada.call('record_discovery', { type: 'decision', content })
    const found = await bob.attempt('context_search', { query: 'how are prices stored' })
    expect(JSON.stringify(found.body)).not.toContain('cents')
  })

  it('a person who leaves no longer finds it', async () => {
    const { ada, bob, people, secretary } = await setUp()
    const content = 'Prices are stored in cents'
    await ada.call('record_discovery', { type: 'decision', content, space: 'web' })
    const search = async () =>
      JSON.stringify((await bob.attempt('context_search', { query: 'how are prices stored' })).body)
    expect(await search()).toContain('cents')
    secretary(people.bob, 'team', 'leave', 'web')
    expect(await search()).not.toContain('cents')
  })
})
