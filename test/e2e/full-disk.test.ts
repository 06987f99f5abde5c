import { spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  binary,
  connectStdio,
  connectToUrl,
  isolatedEnvironment,
  startHttpServer,
} from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A disk of its own, where this account may mount one; undefined elsewhere. */
function smallDisk(size: string): { folder: string; grow(size: string): void } | undefined {
  const folder = temporaryFolder()
  const mount = (...args: string[]) => spawnSync('mount', [...args, folder]).status === 0
  if (!mount('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs')) return undefined
  onTestFinished(() => void spawnSync('umount', ['-l', folder]))
  return { folder, grow: (to) => void mount('-o', `remount,size=${to}`) }
}

function projectOf(files: number): string {
  const root = temporaryFolder()
  mkdirSync(join(root, 'src'))
  for (let n = 0; n < files; n++) {
    const lines = Array.from(
      { length: 60 },
      (_, line) => `export const value${n}x${line} = ${n * line}`,
    )
    writeFileSync(join(root, 'src', `part-${n}.ts`), lines.join('\n'))
  }
  return root
}

describe('a full disk', () => {
  it('leaves no index that passes for a whole one, loses nothing written, and heals with room', async () => {
    const disk = smallDisk('2m') ?? { folder: temporaryFolder(), grow: () => {} }
    const env = isolatedEnvironment({
      SECRETARY_HOME: disk.folder,
      SECRETARY_PROJECT: projectOf(400),
      SECRETARY_RATE_LIMITS: 'off',
      SECRETARY_BACKGROUND_INDEX: 'off',
    })
    const index = () => spawnSync(process.execPath, [binary, 'index'], { env, encoding: 'utf8' })
    const server = await connectStdio({ env })
    onTestFinished(() => server.close())
    await server.call('add_task', { title: 'Written before' })

    const isMounted = spawnSync('mountpoint', ['-q', disk.folder]).status === 0
    if (isMounted) {
      const { status, stderr } = index()
      expect(status).not.toBe(0)
      expect(stderr).toMatch(/disk is full/i)
      const { body } = await server.attempt('context_search', { query: 'value7x7' })
      expect(body.partial ?? body.error).toBeTruthy()
      const doctor = spawnSync(process.execPath, [binary, 'doctor'], { env, encoding: 'utf8' })
      expect(doctor.stdout).toMatch(/incomplete|full|indexed yet/)
    }

    disk.grow('200m')
    expect(index().status).toBe(0)
    const { body } = await server.call('context_search', { query: 'value7x7' })
    expect(body.partial).toBeUndefined()
    expect(body.results).not.toEqual([])
    const { body: tasks } = await server.call('list_tasks')
    expect(tasks).toMatchObject({ data: { tasks: [{ title: 'Written before' }] } })
  })

  it('is told by whatever would have to write, and takes nothing away', async () => {
    const disk = smallDisk('24m') ?? { folder: temporaryFolder(), grow: () => {} }
    const project = projectOf(20)
    const env = isolatedEnvironment({
      SECRETARY_HOME: join(disk.folder, 'home'),
      SECRETARY_PROJECT: project,
      SECRETARY_BACKGROUND_INDEX: 'off',
      SECRETARY_AUTH: 'off',
    })
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [binary, ...args], { env, encoding: 'utf8' })
    expect(run('index').status).toBe(0)
    const [indexFile = ''] = readdirSync(join(disk.folder, 'home', 'index'))
    const server = await startHttpServer({ env })
    onTestFinished(() => server.stop())
    const ready = async () => (await fetch(`${server.url}/health/ready`)).status
    expect(await ready()).toBe(200)

    if (spawnSync('mountpoint', ['-q', disk.folder]).status === 0) {
      fill(join(disk.folder, 'filler'))
      writeFileSync(join(project, 'src', 'new.ts'), 'export const brandNew = 1')
      mkdirSync(join(project, '.guide'))
      writeFileSync(join(project, '.guide', 'rule.md'), '# Rule\n'.repeat(5_000))
      expect(run('index').status).not.toBe(0)
      expect(run('index').stderr).toMatch(/disk/)
      expect(readdirSync(join(disk.folder, 'home', 'index'))).toContain(indexFile)
      const elsewhere = { ...env, SECRETARY_HOME: join(disk.folder, 'other') }
      const { status, stderr } = spawnSync(process.execPath, [binary, 'index'], {
        env: elsewhere,
        encoding: 'utf8',
      })
      expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringMatching(/disk/) })
      const first = spawnSync(process.execPath, [binary, 'serve', '--port', '0'], {
        env: { ...elsewhere, SECRETARY_AUTH: 'on' },
        encoding: 'utf8',
      })
      expect(first.stderr).toBe('The disk is full; nothing was saved\n')
      const doctor = run('doctor')
      expect({ status: doctor.status, stdout: doctor.stdout }).toMatchObject({
        status: 1,
        stdout: expect.stringMatching(/disk/),
      })
      expect(await ready()).toBe(503)
      const agent = await connectToUrl(server.url)
      for (const [tool, args] of WRITES)
        expect(JSON.stringify((await agent.attempt(tool, args)).body), tool).toMatch(/disk is full/)
      await agent.close()
      expect(run('guide', 'trust', '--yes').stderr).toBe('The disk is full; nothing was saved\n')
      expect(run('tasks', 'add', 'x').stderr).toMatch(/^[^\n]*disk is full[^\n]*\n$/)
      expect(run('tasks').status).toBe(0)
      const health = await (await fetch(`${server.url}/api/v1/health`)).text()
      expect(health).toMatch(/"name":"database","state":"failing"/)
      rmSync(join(disk.folder, 'filler'))
    }

    await expect.poll(ready).toBe(200)
    const again = run('index')
    expect(again).toMatchObject({ status: 0 })
    expect(run('search', 'brandNew', '--json').stdout).not.toContain('partial')
  })
})

const WRITES: [string, Record<string, unknown>][] = [
  ['add_task', { title: 'x' }],
  ['record_discovery', { type: 'rule', content: 'Every list has a limit in this house' }],
  ['guide_set_project_flag', { name: 'f', value: true }],
  ['guide_category_add', { name: 'zz', dir: 'zz', patterns: ['*'] }],
  [
    'guide_create_document',
    { path: 'lang/y.md', content: 'x'.repeat(9_000), consent: 'CREATE_DOCUMENT' },
  ],
]

/** To the last byte. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (;;) writeSync(file, Buffer.alloc(4_096))
  } catch {
    closeSync(file)
  }
}
