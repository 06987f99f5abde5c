import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { holdLock } from '../support/lock-holder.ts'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'

async function hook(args: string[], env: Record<string, string>, isOpen = false) {
  const child = spawn(process.execPath, [binary, ...args, '--hook'], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const told = JSON.stringify({
    session_id: 'one',
    cwd: env.SECRETARY_PROJECT,
    source: 'startup',
    tool_input: { file_path: 'src/a.ts' },
  })
  if (isOpen) child.stdin.write(told)
  else child.stdin.end(told)
  const [stdout, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { stdout, status }
}

describe.each([['recall'], ['edit-notes']])('a hook that hangs: %s', (command) => {
  const environment = (more: Record<string, string> = {}) =>
    isolatedEnvironment({ SECRETARY_EDIT_NOTES: 'on', SECRETARY_HOOK_SECONDS: '1', ...more })

  it('ends when the agent never closes its input', async () => {
    expect(await hook([command], environment(), true)).toMatchObject({ status: 0 })
  })

  it('ends when another process holds the databases', async () => {
    const env = environment()
    await hook([command], env)
    for (const name of ['secretary.db', 'users/ada/deeds.db', 'users/ada/kept.db']) {
      const path = join(env.SECRETARY_HOME ?? '', name)
      if (existsSync(path)) await holdLock(path)
    }
    expect(await hook([command], env)).toMatchObject({ status: 0 })
  })

  it('ends when the database server accepts and says nothing', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const env = environment({ SECRETARY_DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/c` })
    mkdirSync(env.SECRETARY_HOME ?? '', { recursive: true })
    expect(await hook([command], env)).toMatchObject({ status: 0, stdout: '' })
  })
})
