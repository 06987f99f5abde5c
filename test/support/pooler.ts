import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { temporaryFolder } from './temporary-folder.ts'

const NOBODY = 65_534
const AGAIN_AFTER_MS = 30

export interface Pooler {
  readonly url: string
  stop(): Promise<void>
}

/** A real PgBouncer in transaction mode: few connections to the server, lent out for one transaction each. */
export async function startPooler(database: string): Promise<Pooler> {
  const program = process.env.PGBOUNCER_PATH ?? '/usr/sbin/pgbouncer'
  if (!existsSync(program))
    throw new Error(
      'This test needs PgBouncer: install it (`apt-get install pgbouncer`), or say where it is with PGBOUNCER_PATH',
    )
  const { port: server, hostname } = new URL(database)
  const folder = temporaryFolder()
  const settings = join(folder, 'pgbouncer.ini')
  const port = await freePort()
  writeFileSync(
    settings,
    [
      '[databases]',
      `* = host=${hostname} port=${server} user=postgres`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 3',
    ].join('\n'),
  )
  chmodSync(folder, 0o755)
  chmodSync(settings, 0o644)
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const child = spawn(program, ['-q', settings], { ...user, stdio: 'ignore', cwd: '/' })
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`)
    await delay(AGAIN_AFTER_MS)
  }
  const url = new URL(database)
  url.port = String(port)
  return { url: url.href, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const opened = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(
      () => false,
      () => false,
    ),
  ]).catch(() => false)
  socket.destroy()
  return opened
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
