import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import * as z from 'zod'

const place = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), folder: z.string() }),
  z.object({ kind: z.literal('git'), url: z.string() }),
  z.object({ kind: z.literal('database') }),
])
export type Place = z.output<typeof place>

const settings = z.object({
  /** Random, so that it tells nothing; another one after every `init`. */
  machine: z.string().regex(/^[0-9a-f]{16}$/),
  place,
  /** As it is shown; absent where the environment has it, or none is needed. */
  key: z.string().optional(),
})
export type SyncSettings = z.output<typeof settings>

export function newMachine(): string {
  return randomBytes(8).toString('hex')
}

export function findSettings(home: string): SyncSettings | undefined {
  let text: string
  try {
    text = readFileSync(fileIn(home), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unreadable(home)
  }
  try {
    return settings.parse(JSON.parse(text))
  } catch {
    throw unreadable(home)
  }
}

/** For its owner's eyes alone: it holds the key. */
export function saveSettings(home: string, given: SyncSettings): void {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const draft = join(home, `.${randomBytes(6).toString('hex')}.tmp`)
  try {
    writeFileSync(draft, `${JSON.stringify(given, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
    renameSync(draft, fileIn(home))
  } finally {
    rmSync(draft, { force: true })
  }
}

export function removeSettings(home: string): void {
  rmSync(fileIn(home), { force: true })
}

function fileIn(home: string): string {
  return join(home, 'sync.json')
}

function unreadable(home: string): Failure {
  return new Failure(
    'sync_not_set_up',
    `${fileIn(home)} cannot be read; \`secretary sync leave\` removes it`,
  )
}
