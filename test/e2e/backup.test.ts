import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../support/engines.ts'
import {
  binary,
  connectToUrl,
  isolatedEnvironment,
  startHttpServer,
} from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Environment = Record<string, string>
const secretary = (env: Environment, ...args: string[]) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [binary, ...args], {
    env,
    encoding: 'utf8',
  })
  return { said: `${stdout}${stderr}`, status }
}
const onSqlite = () => isolatedEnvironment()
const rowsIn = (path: string) =>
  gunzipSync(readFileSync(path)).toString().trimEnd().split('\n').slice(1)

let backup: string
let token: string
beforeAll(async () => {
  const env = onSqlite()
  const [command, ...flags] = [process.execPath, binary, 'token', 'create', '--user', 'ada']
  token = execFileSync(command as string, flags, { env, encoding: 'utf8' }).trim()
  const server = await startHttpServer({ env })
  const ada = await connectToUrl(server.url, { headers: { authorization: `Bearer ${token}` } })
  await ada.call('add_task', { title: 'Buy «milk»\nand 🥚' })
  await ada.call('add_task', { title: 'Thrown away' })
  await ada.call('add_task', { title: 'Sweep', description: '' })
  await ada.call('delete_task', { task_id: 2 })
  await ada.call('record_discovery', { type: 'pattern', content: 'Prices are in cents.' })
  await ada.close()
  await server.stop()
  backup = join(temporaryFolder(), 'all.gz')
  expect(secretary(env, 'backup', backup)).toMatchObject({ status: 0 })
})

describe.each(engines)('a backup restored into $name', ({ fresh }) => {
  const on = async () => isolatedEnvironment(await fresh())
  it('gives back every row, opens to the same tokens and goes on with the next number', async () => {
    const env = await on()
    expect(secretary(env, 'restore', backup)).toMatchObject({ status: 0 })
    const again = join(temporaryFolder(), 'again.gz')
    expect(secretary(env, 'backup', again)).toMatchObject({ status: 0 })
    expect(rowsIn(again).sort()).toEqual(rowsIn(backup).sort())

    const server = await startHttpServer({ env })
    const ada = await connectToUrl(server.url, { headers: { authorization: `Bearer ${token}` } })
    const { body } = await ada.call('add_task', { title: 'After the fire' })
    expect(body).toMatchObject({ data: { task: { id: 4 } } })
    const listed = await ada.call('list_tasks')
    expect(JSON.stringify(listed.body)).toContain('Buy «milk»\\nand 🥚')
    await ada.close()
    await server.stop()
  })

  it('is refused where there is data already, which stays as it is', async () => {
    const env = await on()
    secretary(env, 'tasks', 'add', 'Mine')
    const { said, status } = secretary(env, 'restore', backup)
    expect(status).toBe(1)
    expect(said).toBe('The database holds data already (tasks); restore into an empty one\n')
    expect(secretary(env, 'tasks').said).toContain('Mine')
  })

  it.each([
    ['torn', (whole: Buffer) => whole.subarray(0, whole.length - 40)],
    ['without its end', (whole: Buffer) => withLines(whole, (lines) => lines.slice(0, -1))],
    [
      'without one of its rows',
      (whole: Buffer) => withLines(whole, (lines) => lines.toSpliced(3, 1)),
    ],
    ['of another program', () => gzipSync('{"a":1}\n')],
    ['that is no archive', () => Buffer.from('hello')],
    ['that is empty', () => Buffer.alloc(0)],
  ])('leaves nothing behind if the file is one %s', async (_what, change) => {
    const env = await on()
    const path = join(temporaryFolder(), 'other.gz')
    writeFileSync(path, change(readFileSync(backup)))
    const { said, status } = secretary(env, 'restore', path)
    expect(status).toBe(1)
    expect(said).toContain('damaged, incomplete or not a backup of Secretary')
    expect(secretary(env, 'tasks').said).toContain('No tasks found.')
  })
})

describe('a backup', () => {
  it('is for its owner’s eyes alone, and never written over another file', () => {
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    const { said, status } = secretary(onSqlite(), 'backup', backup)
    expect(status).toBe(1)
    expect(said).toBe(`${backup} exists already; name a new file\n`)
  })

  it('that cannot be written leaves no part of it', () => {
    const path = join(temporaryFolder(), 'nowhere', 'all.gz')
    const { said, status } = secretary(onSqlite(), 'backup', path)
    expect(status).toBe(1)
    expect(said).toContain('The backup cannot be written')
    expect(existsSync(path)).toBe(false)
  })

  it('of another schema names the version to restore it with', () => {
    const path = join(temporaryFolder(), 'older.gz')
    const older = withLines(readFileSync(backup), ([head = '', ...rest]) => [
      JSON.stringify({ ...JSON.parse(head), schema: '017-spaces', version: '0.0.9' }),
      ...rest,
    ])
    writeFileSync(path, older)
    const { said, status } = secretary(onSqlite(), 'restore', path)
    expect(status).toBe(1)
    expect(said).toContain('made by Secretary 0.0.9')
  })
})

function withLines(whole: Buffer, change: (lines: string[]) => string[]): Buffer {
  const lines = gunzipSync(whole).toString().trimEnd().split('\n')
  return gzipSync(`${change(lines).join('\n')}\n`)
}
