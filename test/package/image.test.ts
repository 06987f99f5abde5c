import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { placeOf } from '../support/empty-machine.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MINUTES = 60_000
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = temporaryFolder()
const base = join(folder, 'base')
/** The image that our Dockerfile builds on. */
const BASE = 'docker.io/library/node:22-bookworm-slim'
const inside = (path: string) => join(base, 'root', path)
const buildah = (...args: string[]) => {
  const stores = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')]
  const env = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' }
  return { command: ['buildah', ...stores, ...args] as const, env }
}
const run = (...args: string[]) => {
  const { command, env } = buildah(...args)
  const [program, ...rest] = command
  return execFileSync(program, rest, { cwd: root, env, encoding: 'utf8', stdio: 'pipe' }).trim()
}

let server: ChildProcess | undefined
afterAll(() => {
  if (server?.pid) process.kill(-server.pid, 'SIGKILL')
  // What is mounted cannot be removed with its folder.
  run('rm', '--all')
  const mounted = readFileSync('/proc/self/mounts', 'utf8').matchAll(/^\S+ (\S+) /gm)
  const below = [...mounted].map(([, place = '']) => place).filter((one) => one.startsWith(folder))
  for (const place of below.reverse()) execFileSync('umount', ['-l', place])
})

/**
 * A stand-in for the base image, which no registry of packages offers: this machine's Node, npm, shell and what they need,
 * and the user that the base image has.
 */
beforeAll(() => {
  for (const made of ['bin', 'usr/bin', 'usr/local/bin', 'etc/ssl/certs', 'tmp', 'root'])
    mkdirSync(inside(made), { recursive: true })
  const programs = ['sh', 'env', 'mkdir', 'chown', 'rm', 'uname'].map((name) => `bin/${name}`)
  for (const path of [...programs, 'usr/local/bin/node']) {
    const program = realpathSync(placeOf(path.split('/').at(-1) ?? ''))
    cpSync(program, inside(path))
    const needed = execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)
    for (const [, library = ''] of needed) put(library)
  }
  symlinkSync('/bin/env', inside('usr/bin/env'))
  const npm = dirname(dirname(realpathSync(placeOf('npm'))))
  cpSync(npm, inside('usr/local/lib/node_modules/npm'), { recursive: true, dereference: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', inside('usr/local/bin/npm'))
  put('/etc/ssl/certs/ca-certificates.crt')
  const users = 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n'
  writeFileSync(inside('etc/passwd'), users)
  writeFileSync(inside('etc/group'), 'root:x:0:\nnode:x:1000:\n')
  const variables =
    'PATH=/usr/local/bin:/usr/bin:/bin NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'
  writeFileSync(join(base, 'Dockerfile'), `FROM scratch\nCOPY root /\nENV ${variables}\n`)
  run('bud', '--quiet', '--tag', BASE, base)
}, 2 * MINUTES)

it('is built by the Dockerfile, and serves', { timeout: 10 * MINUTES }, async () => {
  run('bud', '--pull-never', '--tag', 'secretary', '.')
  const container = run('from', '--pull-never', 'secretary')
  const { Docker } = JSON.parse(run('inspect', container))
  expect([...Docker.config.Entrypoint, ...Docker.config.Cmd]).toEqual(['secretary', 'serve'])
  const { command, env } = buildah('run', '--env', 'SECRETARY_PORT=0', container, '--')
  const [program, ...args] = [...command, ...Docker.config.Entrypoint, ...Docker.config.Cmd]
  server = spawn(program, args, { env, detached: true })
  let said = ''
  for (const stream of [server.stdout, server.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  await expect.poll(() => said, { timeout: MINUTES }).toMatch(/page {2}http\S+/)
  expect(said).toContain('in /project')
  const [, port = ''] = /page {2}http:\/\/[^:]+:(\d+)/.exec(said) ?? []
  const health = await fetch(`http://127.0.0.1:${port}/health`)
  expect(health.status, said).toBe(200)
})

function put(path: string): void {
  mkdirSync(dirname(inside(path)), { recursive: true })
  cpSync(realpathSync(path), inside(path))
}
