import { mkdirSync } from 'node:fs'
import { loadConfig } from '@secretary-mcp/core/config/config.ts'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { createApp } from '@secretary-mcp/secretary/app/app.ts'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const RUNS_PER_TOOL = 150
const folder = temporaryFolder()
const env = {
  SECRETARY_HOME: `${folder}/home`,
  SECRETARY_PROJECT: `${folder}/project`,
  HOME: folder,
  SECRETARY_RATE_LIMITS: 'off',
}
mkdirSync(env.SECRETARY_PROJECT)
const app = await createApp(loadConfig({ env, cwd: folder }).config, silentLog)
afterAll(() => app.close())

const HOSTILE = [
  '',
  ' ',
  '../../etc/passwd',
  "'; DROP TABLE tasks;--",
  '\0',
  '{{#a}}{{/a}}',
  '%2e%2e%2f',
  '<script>alert(1)</script>',
  '(a+)+$',
  '\u202e',
  '\ud800',
  'x'.repeat(20_000),
  '__proto__',
  'constructor',
]
const junk = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
)

type Schema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  items?: Schema
}

/** Mostly what the schema wants, sometimes not. */
function valueFor(schema: Schema): fc.Arbitrary<unknown> {
  const fitting: fc.Arbitrary<unknown> =
    schema.const !== undefined
      ? fc.constant(schema.const)
      : schema.enum
        ? fc.constantFrom(...schema.enum)
        : schema.type === 'integer' || schema.type === 'number'
          ? fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 1000, 1000) })
          : schema.type === 'boolean'
            ? fc.boolean()
            : schema.type === 'array'
              ? fc.array(valueFor(schema.items ?? {}), { maxLength: 3 })
              : fc.oneof(fc.string({ minLength: 1, maxLength: 30 }), fc.constantFrom(...HOSTILE))
  return fc.oneof({ weight: 4, arbitrary: fitting }, { weight: 1, arbitrary: junk })
}

function argumentsOf(schema: Schema): fc.Arbitrary<unknown> {
  const known = fc.record(
    Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, property]) => [name, valueFor(property)]),
    ),
    { requiredKeys: [] },
  )
  return fc.oneof(
    { weight: 9, arbitrary: known },
    {
      weight: 2,
      arbitrary: fc
        .tuple(known, fc.dictionary(fc.string(), junk, { maxKeys: 2 }))
        .map(([a, b]) => ({ ...a, ...b })),
    },
    { weight: 1, arbitrary: junk },
  )
}

describe('whatever is thrown at', () => {
  it.each([...app.tools.keys()])(
    '%s, it answers in its own shape and shows nothing of the inside',
    { timeout: 120_000 },
    async (name) => {
      const listing = app.listings('compact').find((candidate) => candidate.name === name)
      const signal = new AbortController().signal
      await fc.assert(
        fc.asyncProperty(argumentsOf(listing?.inputSchema as Schema), async (args) => {
          const answer = await app.boundary.call(name, args, app.localCaller, { signal })
          expect(JSON.parse(answer.text)).toEqual(JSON.parse(JSON.stringify(answer.shape.body)))
          expect(answer.text).not.toMatch(/unforeseen|node_modules|SQLITE_|\bat \S+ \(.*:\d+:\d+\)/)
        }),
        { numRuns: RUNS_PER_TOOL },
      )
    },
  )
})
