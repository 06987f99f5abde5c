import { spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import {
  binary,
  connectStdio,
  isolatedEnvironment,
  startHttpServer,
} from '../support/mcp-client.ts'

/** What others could read or write, by its path. */
function open(folder: string): string[] {
  const all = ['', ...(readdirSync(folder, { recursive: true }) as string[])]
  return all
    .map((name) => join(folder, name))
    .filter((path) => (lstatSync(path).mode & 0o077) !== 0)
}

function put(path: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  chmodSync(path, mode)
}

it('keeps SECRETARY_HOME and all that it makes in it from other accounts', async () => {
  const env = isolatedEnvironment()
  writeFileSync(join(env.SECRETARY_PROJECT ?? '', 'a.ts'), 'export const a = 1\n')
  const server = await startHttpServer({ env })
  const connection = await connectStdio({ env })
  await connection.call('add_task', { title: 'x' })
  await connection.call('context_search', { query: 'where is the constant' })
  await connection.call('guide_create_document', {
    consent: 'CREATE_DOCUMENT',
    path: 'lang/mine.md',
    content: '# Mine',
  })
  const home = env.SECRETARY_HOME ?? ''
  expect(readdirSync(home)).toEqual(
    expect.arrayContaining(['secretary.db', 'secretary.db-wal', 'token', 'index']),
  )
  expect(open(home)).toEqual([])
  await connection.close()
  await server.stop()
  expect(open(home)).toEqual([])
})

it('tightens what was there before', () => {
  const env = isolatedEnvironment()
  const home = env.SECRETARY_HOME ?? ''
  for (const name of ['index/old.db', 'index/old.db-wal', 'docroot/lang/go.md', 'notes/own.txt'])
    put(join(home, name))
  writeFileSync(join(home, 'config.json'), '{}')
  chmodSync(home, 0o755)
  spawnSync(process.execPath, [binary, 'tasks'], { env })
  expect(open(home)).toEqual([])
})

it('touches nothing else where SECRETARY_HOME serves other ends', () => {
  const env = isolatedEnvironment()
  const home = env.HOME ?? ''
  put(join(home, 'public', 'page.html'))
  chmodSync(home, 0o755)
  spawnSync(process.execPath, [binary, 'tasks'], { env: { ...env, SECRETARY_HOME: home } })
  expect(statSync(join(home, 'public', 'page.html')).mode & 0o777).toBe(0o644)
  expect(statSync(home).mode & 0o777).toBe(0o755)
  expect(statSync(join(home, 'secretary.db')).mode & 0o777).toBe(0o600)
})
