import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { configureEnvironment } from './config/environment.ts'
import { ExtMcpToolDecorator } from './ext-mcp-tool-decorator.ts'
import { Family } from './family.ts'
import { createLog, type Log } from './log.ts'
import { Result } from './result.ts'
import type { Tool } from './tool.ts'
import { ToolArguments } from './tool-arguments.ts'

interface Line {
  level: string
  msg: string
}

let lines: Line[]
let log: Log
const family = new Family<object>({
  name: 'decorated',
  envelope: (result) => ({ body: result.toJson(), isError: !result.success }),
  outputSchema: (value) => value,
})
const services = new Map([family.serving({})])

function tool(run: () => ReturnType<Tool['run']>, prefix?: string): Tool {
  const made = family.tool({
    name: 'work',
    title: 'Work',
    effect: 'read',
    prefix,
    description: 'Works',
    arguments: new ToolArguments({}),
    examples: [],
    result: z.unknown(),
    run,
  })
  ToolArguments.getDeclaredTools()
  return made
}

const call = () => ({
  service: services,
  caller: { user: 'ada', project: '/p' },
  signal: new AbortController().signal,
  log,
  progress: () => {},
})

beforeEach(() => {
  lines = []
  log = createLog('trace', (line) => lines.push(JSON.parse(line)))
})
afterEach(() => vi.unstubAllEnvs())

describe('ExtMcpToolDecorator', () => {
  const nameWith = (prefix: string | undefined, own?: string) =>
    new ExtMcpToolDecorator({ prefix, log }).finalName({
      name: 'work',
      family: 'tests',
      prefix: own,
    })

  it('N1 joins prefix and name with an underscore, and leaves the name alone without a prefix', () => {
    expect(nameWith('guide')).toBe('guide_work')
    expect(nameWith('')).toBe('work')
  })

  it('N2 takes MCP_TOOL_PREFIX, which is guide where it was unset at start-up and kept where it was set', () => {
    vi.stubEnv('MCP_TOOL_PREFIX', undefined)
    configureEnvironment()
    expect(nameWith(undefined)).toBe('guide_work')
    vi.stubEnv('MCP_TOOL_PREFIX', 'house')
    configureEnvironment()
    expect(nameWith(undefined)).toBe('house_work')
    vi.stubEnv('MCP_TOOL_PREFIX', '')
    configureEnvironment()
    expect(nameWith(undefined)).toBe('work')
  })

  it("N3 a tool's own prefix beats the default, and the empty one turns it off", () => {
    expect(nameWith('guide', 'mine')).toBe('mine_work')
    expect(nameWith('guide', '')).toBe('work')
  })

  it('I10 I11 logs an asynchronous call at TRACE before and after', async () => {
    const decorated = new ExtMcpToolDecorator({ prefix: 'p', log }).decorate(
      tool(async () => Result.ok(1)),
    )
    expect((await decorated.run({}, call())).value).toBe(1)
    expect(lines.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
      'trace Tool called: p_work',
      'trace Tool p_work completed successfully',
    ])
  })

  it('I11 logs the success of a synchronous call at DEBUG', async () => {
    await new ExtMcpToolDecorator({ prefix: '', log })
      .decorate(tool(() => Result.ok(1)))
      .run({}, call())
    expect(lines.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
      'trace Tool called: work',
      'debug Tool work completed successfully',
    ])
  })

  it('I11 logs an exception at ERROR and lets it go on', async () => {
    for (const run of [
      () => {
        throw new Error('boom')
      },
      () => Promise.reject(new Error('boom')),
    ]) {
      lines = []
      await expect(
        new ExtMcpToolDecorator({ prefix: '', log }).decorate(tool(run)).run({}, call()),
      ).rejects.toThrow('boom')
      expect(lines.at(-1)).toMatchObject({ level: 'error', msg: 'Tool work failed: boom' })
    }
  })
})
