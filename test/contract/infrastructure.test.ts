import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Connection, transports } from '../support/mcp-client.ts'

interface Described {
  name: string
  description?: string
  inputSchema: { properties?: Record<string, { description?: string }> }
  outputSchema?: object
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean }
}

for (const { name: transport, connect } of transports) {
  describe(`the infrastructure over ${transport}`, () => {
    let server: Connection
    let tools: Described[]

    beforeAll(async () => {
      server = await connect()
      tools = (await server.client.listTools()).tools as Described[]
    })
    afterAll(() => server.close())

    it('N1 N3 task tools carry the empty prefix', () => {
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining([
          'add_task',
          'list_tasks',
          'complete_task',
          'update_task',
          'delete_task',
        ]),
      )
    })

    it.each([
      [undefined, 'guide_example_greet'],
      ['house', 'house_example_greet'],
      ['', 'example_greet'],
    ])('N2 I13 with MCP_TOOL_PREFIX %j the example tool is %s', async (prefix, expected) => {
      const other = await connect({
        env: { MCP_TOOL_PREFIX: prefix, MCP_INCLUDE_EXAMPLE_TOOLS: 'true' },
      })
      const { body } = await other.call(expected, { name: 'Ada' })
      expect(body).toEqual({ success: true, value: 'Hello, Ada' })
      await other.close()
    })

    it.each([undefined, '', 'TRUE', '1', 'yes', 'true '])(
      'I13 MCP_INCLUDE_EXAMPLE_TOOLS=%j leaves the example out',
      async (value) => {
        const other = await connect({ env: { MCP_INCLUDE_EXAMPLE_TOOLS: value } })
        const { tools: listed } = await other.client.listTools()
        expect(listed.some(({ name }) => name.includes('example'))).toBe(false)
        await other.close()
      },
    )

    it('I12 I15 every tool is described in four labelled sections, in order', () => {
      for (const { name, description = '' } of tools) {
        const places = [
          '## Description\n',
          '## JSON Schema\n```json\n',
          '## Usage Instructions\n```',
          '## Concrete Examples\n```',
        ].map((label) => description.indexOf(label))
        expect(places, name).toEqual([...places].sort((a, b) => a - b))
        expect(Math.min(...places), name).toBe(0)
        const firstLine = description.split('\n')[1] ?? ''
        expect(firstLine.length, `${name}: ${firstLine}`).toBeGreaterThan(0)
      }
    })

    it('I15 the compact profile says what a tool does and when to use it, and generates nothing', async () => {
      const other = await connect({ env: { SECRETARY_DESCRIPTIONS: 'compact' } })
      const { tools: listed } = await other.client.listTools()
      expect(listed.find(({ name }) => name === 'add_task')?.description).toBe(
        'Create a new task.\nUse it when something is left to do.',
      )
      await other.close()
    })

    it('I16 every argument has a description', () => {
      for (const { name, inputSchema } of tools) {
        for (const [argument, { description = '' }] of Object.entries(
          inputSchema.properties ?? {},
        )) {
          expect(description.length, `${name}.${argument}`).toBeGreaterThan(3)
        }
      }
    })

    it('gives hints by effect, an output schema, and structured content that equals the text', async () => {
      const byName = new Map(tools.map((tool) => [tool.name, tool]))
      expect(byName.get('list_tasks')?.annotations).toMatchObject({
        readOnlyHint: true,
        destructiveHint: false,
      })
      expect(byName.get('delete_task')?.annotations).toMatchObject({
        readOnlyHint: false,
        destructiveHint: true,
      })
      expect(tools.every(({ outputSchema }) => outputSchema !== undefined)).toBe(true)
      const { body, result } = await server.call('list_tasks')
      expect(result.structuredContent).toEqual(body)
    })

    it('C13 an unknown tool is a result that names it and the tools that exist', async () => {
      const { body, result } = await server.attempt('no_such_tool')
      expect(result.isError).toBe(true)
      expect(body).toEqual({
        error: 'Unknown tool: no_such_tool',
        tool: 'no_such_tool',
        tools: tools.map(({ name }) => name),
      })
      expect((await server.call('list_tasks')).body.success).toBe(true)
    })

    it('SECRETARY_FAMILIES chooses what is offered', async () => {
      const other = await connect({ env: { SECRETARY_FAMILIES: 'tasks' } })
      const { tools: listed } = await other.client.listTools()
      expect(listed.map(({ name }) => name)).toEqual([
        'add_task',
        'complete_task',
        'delete_task',
        'list_tasks',
        'plan_task',
        'update_task',
      ])
      await other.close()
    })
  })
}
