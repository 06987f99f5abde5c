import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { syncMachine } from '../../../../../test/support/sync-machine.ts'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { newMachine } from '../sync.ts'
import { gitTransport } from './git-transport.ts'

function remoteOf(): string {
  const url = join(temporaryFolder(), 'remote.git')
  execFileSync('git', ['init', '--quiet', '--bare', url])
  return url
}

function connected(url: string) {
  const [machine, folder] = [newMachine(), join(temporaryFolder(), 'sync-git')]
  return { machine, folder, transport: gitTransport({ folder, url, machine }) }
}

describe('a git remote', () => {
  it('takes what several machines push at the same moment', async () => {
    const url = remoteOf()
    const machines = Array.from({ length: 4 }, () => connected(url))
    await Promise.all(
      machines.map(async ({ machine, transport }) => {
        await transport.begin()
        await transport.write({ machine, generation: 1, sequence: 1 }, Buffer.from(machine))
        await transport.finish()
      }),
    )
    const { transport } = connected(url)
    await transport.begin()
    const names = await transport.list()
    expect(names.map(({ machine }) => machine).sort()).toEqual(
      machines.map(({ machine }) => machine).sort(),
    )
    for (const name of names)
      expect(Buffer.from((await transport.read(name)) ?? []).toString()).toBe(name.machine)
  })

  it('brings rounds together, and removes an old generation', async () => {
    const url = remoteOf()
    const [a, b] = [1, 2].map(() => {
      const house = syncMachine(temporaryFolder())
      const folder = join(temporaryFolder(), 'sync-git')
      const transport = gitTransport({ folder, url, machine: house.id })
      return { ...house, round: () => house.round({ transport }), folder }
    })
    if (!a || !b) throw new Error('no machines')
    a.say('d1', 'one')
    a.say('d2', 'two')
    a.addTask('task')
    for (const one of [a, b, a]) await one.round()
    b.forget('g/d1')
    for (const one of [b, a, b]) await one.round()
    expect(b.shown()).toEqual(a.shown())
    expect(readdirSync(join(a.folder, a.id))).toEqual(['2-1.seal'])
    const paths = execFileSync('git', ['-C', url, 'ls-tree', '-r', '--name-only', 'secretary-sync'])
    expect(String(paths).trim().split('\n').sort()).toEqual(
      [`${a.id}/2-1.seal`, `${b.id}/1-1.seal`].sort(),
    )
  })

  it('sends at the next round what was written before a push failed', async () => {
    const url = remoteOf()
    const { machine, transport } = connected(url)
    await transport.begin()
    await transport.write({ machine, generation: 1, sequence: 1 }, Buffer.from('one'))
    const hook = join(url, 'hooks', 'pre-receive')
    mkdirSync(join(url, 'hooks'), { recursive: true })
    writeFileSync(hook, '#!/bin/sh\nexit 1\n')
    chmodSync(hook, 0o755)
    await expect(transport.finish()).rejects.toMatchObject({ errorType: 'sync_unreachable' })
    writeFileSync(hook, '#!/bin/sh\nexit 0\n')
    await transport.begin()
    await transport.finish()
    const other = connected(url).transport
    await other.begin()
    expect(await other.list()).toHaveLength(1)
  })

  it('is not held up by the locks of a git that was killed', async () => {
    const { machine, folder, transport } = connected(remoteOf())
    await transport.begin()
    for (const path of ['index.lock', 'HEAD.lock', 'refs/heads/secretary-sync.lock'])
      writeFileSync(join(folder, '.git', path), '')
    await transport.begin()
    await transport.write({ machine, generation: 1, sequence: 1 }, Buffer.from('one'))
    await transport.finish()
    expect(await transport.list()).toHaveLength(1)
  })

  it('runs no hook, and says why a remote cannot be used without its password', async () => {
    const url = remoteOf()
    const { machine, folder, transport } = connected(url)
    await transport.begin()
    const trace = join(temporaryFolder(), 'ran')
    for (const name of ['pre-commit', 'post-commit', 'pre-push', 'reference-transaction']) {
      const hook = join(folder, '.git', 'hooks', name)
      mkdirSync(join(folder, '.git', 'hooks'), { recursive: true })
      writeFileSync(hook, `#!/bin/sh\ntouch '${trace}'\n`)
      chmodSync(hook, 0o755)
    }
    await transport.write({ machine, generation: 1, sequence: 1 }, Buffer.from('one'))
    await transport.finish()
    expect(existsSync(trace)).toBe(false)
    const secret = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`
    const nobody = connected(`http://ada:${secret}@127.0.0.1:1/memory.git`).transport
    const failed = await nobody.begin().catch((error: Error) => error)
    expect(failed).toMatchObject({ errorType: 'sync_unreachable' })
    expect(String(failed)).not.toContain(secret)
  })
})
