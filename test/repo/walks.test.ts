import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'

interface Walks {
  readonly calls: readonly { name: string; files: string[]; queries: string[] }[]
  readonly hook: readonly string[]
}

let walks: Walks

beforeAll(() => {
  const options = { encoding: 'utf8', maxBuffer: 1 << 26 } as const
  walks = JSON.parse(execFileSync(process.execPath, ['scripts/walk.mjs', '--json'], options))
})

/** Raise a number only with a reason: each file is one more to read for whoever follows a call. */
const MAX: Readonly<Record<string, { readonly files: number; readonly queries: number }>> = {
  add_task: { files: 25, queries: 1 },
  context_search: { files: 70, queries: 25 },
  recall: { files: 86, queries: 15 },
}

describe('one call', () => {
  it.each(Object.keys(MAX))('%s runs few files and makes few queries', (name) => {
    const { files = [], queries = [] } = walks.calls.find((call) => call.name === name) ?? {}
    expect(files).toContain('packages/core/src/boundary.ts')
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(MAX[name]?.files ?? 0)
    expect(queries.length, queries.join('\n')).toBeLessThanOrEqual(MAX[name]?.queries ?? 0)
  })
})

it('the recall hook loads no more than the memory that it asks', () => {
  expect(walks.hook).toContain('packages/secretary/src/dialogs/recall/recall.ts')
  expect(walks.hook.length, walks.hook.join('\n')).toBeLessThanOrEqual(250)
})
