import { loadConfig } from '@secretary-mcp/core/config/config.ts'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { createApp } from '@secretary-mcp/secretary/app/app.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import type { Connection } from '../support/mcp-client.ts'
import { connect, setups } from '../support/setups.ts'
import { makeProject } from '../support/shop-project.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const app = await createApp(
  loadConfig({ env: { SECRETARY_HOME: temporaryFolder() }, cwd: makeProject({}) }).config,
  silentLog,
)
const examples = [...app.tools.values()].flatMap(({ name, tool }) =>
  tool.examples.map(({ args }) => ({ name, args })),
)
afterAll(() => app.close())

for (const { name, connect, engine } of setups) {
  describe(`every tool over ${name}`, () => {
    let server: Connection
    beforeAll(async () => {
      const home = new AgentsHome(temporaryFolder())
      home.claude()
      const env = { ...home.env, ...(await engine.fresh()), SECRETARY_RATE_LIMITS: 'off' }
      server = await connect({ env, clientName: 'claude-code' })
    })
    afterAll(() => server.close())

    it('lists each with a schema, and hints that fit its effect', async () => {
      const { tools } = await server.client.listTools()
      expect(tools.map((tool) => tool.name).sort()).toEqual([...app.tools.keys()].sort())
      for (const { name: tool, annotations } of tools) {
        const effect = app.tools.get(tool)?.tool.effect
        expect(annotations?.readOnlyHint === true, tool).toBe(effect === 'read')
        expect(annotations?.destructiveHint === true, tool).toBe(effect === 'destroy')
      }
    })

    it.each(examples)('$name answers its example $args in its own words', async (example) => {
      const { body, result } = await server.attempt(example.name, example.args)
      expect(Object.keys(body).length).toBeGreaterThan(0)
      expect(JSON.stringify(result)).not.toMatch(/incident|unexpected_error|Unknown tool/)
      if (!result.isError) expect(result.structuredContent).toEqual(body)
    })
  })
}

describe('every tool in an empty home', () => {
  let server: Connection
  beforeAll(async () => {
    server = await connect({ env: { SECRETARY_RATE_LIMITS: 'off' } })
  })
  afterAll(() => server.close())

  it('answers the least it can be asked in its own words', async () => {
    const { tools } = await server.client.listTools()
    expect(tools.length).toBeGreaterThan(40)
    for (const { name, inputSchema } of tools) {
      const { body, result } = await server.attempt(name, leastArguments(inputSchema))
      expect(Object.keys(body).length, name).toBeGreaterThan(0)
      expect(JSON.stringify(result), name).not.toMatch(/incident|unexpected|Something went wrong/)
    }
  })
})

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

/** Only what is required, of the right kind and of no meaning. */
function leastArguments(schema: { readonly properties?: object; readonly required?: string[] }) {
  const properties = new Map<string, Schema>(Object.entries(schema.properties ?? {}))
  const entries = (schema.required ?? []).map((key) => [key, plainValue(properties.get(key) ?? {})])
  return Object.fromEntries(entries) as Record<string, unknown>
}

const PLAIN: Readonly<Record<string, unknown>> = {
  integer: 1,
  number: 1,
  boolean: true,
  array: ['a'],
  object: {},
}

function plainValue(schema: Schema): unknown {
  return schema.const ?? schema.enum?.[0] ?? PLAIN[schema.type ?? ''] ?? 'README.md'
}
