import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { watchProject } from './watch-project.ts'

const EVERYTHING = 'everything'

/** A project that is watched, and what was told of it so far. */
async function watched(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder()
  const write = (path: string, content = 'x') => {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const [path, content] of Object.entries(files)) write(path, content)
  const told: string[] = []
  const onChange = async (paths: readonly string[] | undefined) =>
    void told.push(...(paths ?? [EVERYTHING]))
  const watcher = await watchProject(root, onChange, silentLog)
  onTestFinished(() => watcher.close())
  return { root, write, told, watcher }
}

it('tells of files that come, change and go, and not of those that are left out', async () => {
  const { root, write, told } = await watched({
    'src/a.ts': 'a',
    'src/b.ts': 'b',
    'node_modules/x/i.js': 'x',
    '.gitignore': '*.log.md',
  })
  write('node_modules/x/i.js', 'changed')
  write('src/noise.log.md')
  write('src/photo.png')
  appendFileSync(join(root, 'src/a.ts'), 'more')
  rmSync(join(root, 'src/b.ts'))
  write('src/c.ts')
  await expect.poll(() => [...new Set(told)].sort()).toEqual(['src/a.ts', 'src/b.ts', 'src/c.ts'])
})

it('looks at everything when a folder comes, moves or goes, and follows it from then on', async () => {
  const { root, write, told } = await watched({ 'src/deep/a.ts': 'a' })
  write('new/inner/b.ts')
  await expect.poll(() => told).toContain(EVERYTHING)
  await expect
    .poll(() => {
      appendFileSync(join(root, 'new/inner/b.ts'), 'x')
      return told
    })
    .toContain('new/inner/b.ts')
  told.length = 0
  renameSync(join(root, 'src/deep'), join(root, 'src/moved'))
  await expect.poll(() => told).toContain(EVERYTHING)
  told.length = 0
  rmSync(join(root, 'new'), { recursive: true })
  await expect.poll(() => told).toContain(EVERYTHING)
})

it('goes by new rules of what to leave out', async () => {
  const { write, told } = await watched({ 'src/a.ts': 'a', '.gitignore': 'out/\n' })
  write('.gitignore', 'src/\n')
  await expect.poll(() => told).toContain(EVERYTHING)
  told.length = 0
  write('src/a.ts', 'changed')
  write('lib/b.ts')
  await expect.poll(() => told.length).toBeGreaterThan(0)
  expect(told).not.toContain('src/a.ts')
})

it('looks at everything when very many files change at once', async () => {
  const { write, told } = await watched({ 'src/a.ts': 'a' })
  for (let n = 0; n < 300; n++) write(`src/file-${n}.ts`)
  await expect.poll(() => told).toContain(EVERYTHING)
})

it('does not follow links, and says nothing more once it is closed', async () => {
  const outside = temporaryFolder()
  const { root, write, told, watcher } = await watched({ 'src/a.ts': 'a' })
  symlinkSync(outside, join(root, 'src/link'))
  writeFileSync(join(outside, 'secret.ts'), 'x')
  write('src/b.ts')
  await expect.poll(() => told).toContain('src/b.ts')
  expect(told.join()).not.toContain('secret')
  await watcher.close()
  told.length = 0
  write('src/c.ts')
  write('src/later/d.ts')
  await new Promise((later) => setTimeout(later, 300))
  expect(told).toEqual([])
})

it('takes a change up again that could not be dealt with', async () => {
  const root = temporaryFolder()
  const onChange = vi.fn(async (_paths: readonly string[] | undefined) => {})
  onChange.mockRejectedValueOnce(new Error('the database is down'))
  const watcher = await watchProject(root, onChange, silentLog, 10)
  onTestFinished(() => watcher.close())
  writeFileSync(join(root, 'a.ts'), 'export const a = 1\n')
  await expect.poll(() => onChange.mock.calls).toEqual([[['a.ts']], [undefined]])
})

it('follows a folder that was deleted and made again at once, and folders that changed places', async () => {
  const { root, write, told } = await watched({ 'src/in/a.ts': 'a', 'lib/in/b.ts': 'b' })
  const isHeard = async (path: string) => {
    told.length = 0
    await expect
      .poll(() => {
        write(path, String(Math.random()))
        return told
      })
      .toContain(path)
  }
  rmSync(join(root, 'src'), { recursive: true })
  write('src/in/a.ts')
  await expect.poll(() => told).toContain(EVERYTHING)
  await isHeard('src/in/a.ts')
  renameSync(join(root, 'src'), join(root, 'other'))
  renameSync(join(root, 'lib'), join(root, 'src'))
  renameSync(join(root, 'other'), join(root, 'lib'))
  await isHeard('src/in/b.ts')
  await isHeard('lib/in/a.ts')
})

it.each(['at once', 'after a while'])(
  'follows a project whose own folder was replaced %s',
  async (when) => {
    const { root, write, told } = await watched({ 'src/a.ts': 'a' })
    rmSync(root, { recursive: true })
    if (when !== 'at once') await new Promise((later) => setTimeout(later, 300))
    write('src/a.ts')
    await expect.poll(() => told, { timeout: 10_000 }).toContain(EVERYTHING)
    await expect
      .poll(
        () => {
          write('src/a.ts', String(Math.random()))
          return told
        },
        { timeout: 10_000 },
      )
      .toContain('src/a.ts')
  },
)
