import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteFile } from '@secretary-mcp/core/sqlite/connection.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { holdLock } from '../support/lock-holder.ts'
import {
  binary,
  connectStdio,
  connectToUrl,
  isolatedEnvironment,
  startHttpServer,
  transports,
} from '../support/mcp-client.ts'

/** A home with a database in which there is one task. */
async function houseWithTask() {
  const env = isolatedEnvironment({ SECRETARY_AUTH: 'off', SECRETARY_BACKGROUND_INDEX: 'off' })
  const server = await connectStdio({ env })
  await server.call('add_task', { title: 'Written before' })
  await server.close()
  return { env, path: join(env.SECRETARY_HOME ?? '', 'secretary.db') }
}

const totalOf = (body: Record<string, unknown>) => (body.data as { total: number }).total

describe.each(transports)('a lock that is held when a server starts, over $name', ({ connect }) => {
  it('leaves reads as they are, and writes wait for it', async () => {
    const { env, path } = await houseWithTask()
    const holder = await holdLock(path)
    const server = await connect({ env })
    onTestFinished(() => server.close())
    const writing = server.call('add_task', { title: 'Written meanwhile' })
    expect(totalOf((await server.call('list_tasks')).body)).toBe(1)
    await holder.letGo()
    expect((await writing).body).toMatchObject({ success: true })
    expect(totalOf((await server.call('list_tasks')).body)).toBe(2)
  })

  it('makes the first call wait where a newer version has to change the database', async () => {
    const { env, path } = await houseWithTask()
    await undoLastMigration(path)
    const holder = await holdLock(path)
    const server = await connect({ env })
    onTestFinished(() => server.close())
    const reading = server.call('list_tasks')
    await server.client.listTools()
    await holder.letGo()
    expect(totalOf((await reading).body)).toBe(1)
  })

  it('is waited for where there is no database yet', async () => {
    const env = isolatedEnvironment({ SECRETARY_AUTH: 'off' })
    mkdirSync(env.SECRETARY_HOME ?? '', { mode: 0o700 })
    const holder = await holdLock(join(env.SECRETARY_HOME ?? '', 'secretary.db'))
    const server = await connect({ env })
    onTestFinished(() => server.close())
    const writing = server.call('add_task', { title: 'First' })
    await server.client.listTools()
    await holder.letGo()
    expect((await writing).body).toMatchObject({ success: true })
  })
})

describe('a lock that is held', () => {
  it('leaves the API and the command line their reads, and their writes wait', async () => {
    const { env, path } = await houseWithTask()
    const server = await startHttpServer({ env })
    onTestFinished(() => server.stop())
    const holder = await holdLock(path)
    const list = spawn(process.execPath, [binary, 'tasks'], { env })
    expect(String(await once(list.stdout, 'data'))).toContain('Written before')
    const body = JSON.stringify({ title: 'Through the API' })
    const headers = { 'content-type': 'application/json', origin: server.url }
    const posted = fetch(`${server.url}/api/v1/tasks`, { method: 'POST', headers, body })
    const command = spawn(process.execPath, [binary, 'tasks', 'add', 'By command'], { env })
    const listed = await fetch(`${server.url}/api/v1/tasks`)
    expect(await listed.text()).toContain('Written before')
    await holder.letGo()
    expect((await posted).ok).toBe(true)
    const [status] = command.exitCode === null ? await once(command, 'exit') : [command.exitCode]
    expect(status).toBe(0)
    const agent = await connectToUrl(server.url)
    expect(totalOf((await agent.call('list_tasks')).body)).toBe(3)
    await agent.close()
  })

  it('does not keep a server on stdio from ending, with a write that waits', async () => {
    const { env, path } = await houseWithTask()
    const holder = await holdLock(path)
    const child = spawn(process.execPath, [binary, 'mcp'], { env })
    onTestFinished(() => void child.kill('SIGKILL'))
    const clientInfo = { name: 'raw', version: '1' }
    const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const call = { name: 'add_task', arguments: { title: 'Never' } }
    for (const message of [
      { id: 1, method: 'initialize', params: opening },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: call },
    ])
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    await once(child.stdout, 'data')
    await endsWhenAsked(child)
    await holder.letGo()
  })

  it('does not keep a server over HTTP from ending, with a write that waits', async () => {
    const { env, path } = await houseWithTask()
    const server = await startHttpServer({ env })
    onTestFinished(() => void server.child.kill('SIGKILL'))
    const holder = await holdLock(path)
    const headers = { 'content-type': 'application/json', origin: server.url }
    const body = JSON.stringify({ title: 'Never' })
    fetch(`${server.url}/api/v1/tasks`, { method: 'POST', headers, body }).catch(() => {})
    expect((await fetch(`${server.url}/api/v1/tasks`)).status).toBe(200)
    await endsWhenAsked(server.child)
    await holder.letGo()
  })
})

async function endsWhenAsked(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
}

async function undoLastMigration(path: string): Promise<void> {
  const file = await openSqliteFile(path)
  file.exec('DROP INDEX dialogs_by_change')
  file.exec("DELETE FROM secretary_migrations WHERE name = '019-dialogs-by-change'")
  file.close()
}
