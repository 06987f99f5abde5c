import { loadConfig } from '@secretary-mcp/core/config/config.ts'
import { countTokenCosts } from '@secretary-mcp/core/count-tokens.ts'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { createApp } from '@secretary-mcp/secretary/app/app.ts'
import { expect, it } from 'vitest'
import budget from './token-budget.json' with { type: 'json' }

const app = await createApp(loadConfig({ env: {}, cwd: import.meta.dirname }).config, silentLog)
const full = app.listings('full')
const compact = app.listings('compact')

it('I16 every argument of every tool has a description', () => {
  for (const { name, inputSchema } of full) {
    const properties = inputSchema.properties as Record<string, { description?: string }>
    for (const [argument, schema] of Object.entries(properties))
      expect(schema.description?.length ?? 0, `${name}.${argument}`).toBeGreaterThan(3)
  }
})

it('I15 the first line of every description is at most 50 characters, or a whole short sentence', () => {
  for (const { name, description } of compact)
    expect(description.split('\n')[0]?.length, name).toBeLessThanOrEqual(budget.longestFirstLine)
})

it('compact begins with what the tool does and leaves the schema to the schema', () => {
  for (const { name, description } of compact) {
    expect(description, name).toMatch(/^[A-Z]/)
    expect(description, name).not.toMatch(/## |"type":|"properties"/)
  }
})

it('full says when to use the tools of the seeds and describes fields in their words', () => {
  const of = (name: string) => full.find((listing) => listing.name === name)
  const fields = (name: string) =>
    Object.fromEntries(
      Object.entries((of(name)?.inputSchema.properties ?? {}) as Record<string, object>).map(
        ([field, schema]) => [field, 'description' in schema ? schema.description : undefined],
      ),
    )
  expect(fields('context_search')).toMatchObject({
    query: 'Search query describing what to find',
    type: 'Filter by discovery type',
    module: 'Filter by module name',
    limit: 'Maximum number of results to return',
  })
  expect(fields('read_file')).toMatchObject({
    path: 'File path relative to project root',
    includeDeps: 'Include level 1 dependencies (imports)',
    maxDepth: 'Dependency tree depth (MVP: max 1)',
  })
  expect(fields('grep_codebase')).toMatchObject({
    pattern: 'Regex pattern to search for',
    filePattern: 'Glob pattern to filter files (e.g., "**/*.ts")',
    caseSensitive: 'Case-sensitive search',
    limit: 'Maximum number of matches to return',
  })
  for (const name of ['context_search', 'read_file', 'grep_codebase'])
    expect(of(name)?.description).toContain('**Use cases:**')
  for (const name of ['get_request', 'get_first_request'])
    expect(of(`copilot_chat_secretary_${name}`)?.description).toContain(
      '**Use this tool when:**\n- You need to',
    )
  expect(of('guide_create_document')?.description).toContain('The literal in consent stands for')
})

it('I15 every tool has an example, and every example has valid arguments', () => {
  for (const { tool } of app.tools.values()) {
    expect(tool.examples.length, tool.name).toBeGreaterThan(0)
    for (const { args, shows } of tool.examples) {
      expect(tool.arguments.parse(args), `${tool.name} ${JSON.stringify(args)}`).toMatchObject({
        ok: true,
      })
      expect(shows.length, tool.name).toBeGreaterThan(5)
    }
  }
})

it('the catalogue stays within its token budget', () => {
  const costs = countTokenCosts({ full, compact })
  const mean = (key: 'full' | 'compact') =>
    costs.reduce((sum, cost) => sum + cost[key], 0) / costs.length
  expect(mean('compact')).toBeLessThanOrEqual(budget.averageCompact)
  expect(mean('full')).toBeLessThanOrEqual(budget.averageFull)
})

it('every tool has the name its family may have, once', () => {
  const names = full.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{1,63}$/)
})
