import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Boundary } from './boundary.ts'
import { Calls, type Tally } from './calls.ts'
import { ExtMcpToolDecorator } from './ext-mcp-tool-decorator.ts'
import { Failure } from './failure.ts'
import { Family } from './family.ts'
import { createLimits } from './limits.ts'
import { createLog } from './log.ts'
import { Reminders } from './reminders.ts'
import { Result } from './result.ts'
import { ToolArguments } from './tool-arguments.ts'

const ada = { user: 'ada', project: '/p', session: 's1' }
let lines: Record<string, unknown>[]
let tallies: Tally[]
let calls: Calls
let reminders: Reminders
let boundary: Boundary
let endSlow: () => void

beforeEach(() => {
  lines = []
  tallies = []
  const log = createLog('debug', (line) => lines.push(JSON.parse(line)))
  const family = new Family<object>({
    name: 'bounded',
    prefix: '',
    envelope: (result) => ({ body: result.toJson(), isError: !result.success }),
    outputSchema: (value) => value,
  })
  const services = new Map([family.serving({})])
  const decorator = new ExtMcpToolDecorator({ prefix: '', log })
  const spec = {
    title: 't',
    effect: 'read' as const,
    description: 'd',
    examples: [],
    result: z.unknown(),
  }
  const kind = new ToolArguments({
    kind: z.enum(['ok', 'foreseen', 'unforeseen']),
    password: z.string().optional(),
  })
  const tools = [
    family.tool({
      ...spec,
      name: 'act',
      arguments: kind,
      run: async ({ kind }) => {
        if (kind === 'foreseen')
          throw new Failure('storage_full', 'The disk is full', {
            cause: new Error('SQLITE_FULL at /secret/path'),
          })
        if (kind === 'unforeseen') throw new Error('secret detail at /secret/path')
        return Result.ok('done')
      },
    }),
    family.tool({
      ...spec,
      name: 'named',
      prefix: 'house',
      arguments: new ToolArguments({}),
      run: () => Result.ok(1, { instruction: 'Call `named`, not `nobody`.' }),
    }),
    family.tool({
      ...spec,
      name: 'rare',
      arguments: new ToolArguments({}),
      limitPerMinute: 2,
      run: () => Result.ok(1),
    }),
    family.tool({
      ...spec,
      name: 'slow',
      arguments: new ToolArguments({}),
      maximumMs: () => 5,
      run: () =>
        new Promise<Result>((resolve) => {
          endSlow = () => resolve(Result.ok(1))
        }),
    }),
    family.tool({
      ...spec,
      name: 'busy',
      arguments: new ToolArguments({}),
      maximumMs: () => 5,
      run: () => {
        const until = performance.now() + 6
        while (performance.now() < until);
        return Result.ok(1)
      },
    }),
    family.tool({
      ...spec,
      name: 'list',
      arguments: new ToolArguments({}),
      run: () => Result.ok({ query: 'x', results: [1, 2, 3] }),
    }),
  ]
  ToolArguments.getDeclaredTools()
  calls = new Calls({
    add: async (_, more) => void tallies.push(...more),
    tallies: async () => tallies,
    latest: async () => [],
    figures: async () => [],
    forgetWords: async () => {},
  })
  reminders = new Reminders()
  boundary = new Boundary({
    tools: new Map(tools.map((tool) => [decorator.finalName(tool), decorator.decorate(tool)])),
    services,
    limits: createLimits(),
    calls,
    reminders,
    log,
  })
})

afterEach(() => boundary.settled())

describe('the boundary', () => {
  it('C13 answers an unknown tool with a result that has the names that exist', async () => {
    const { result, shape, text } = await boundary.call('nope', {}, ada)
    expect(result.errorType).toBe('unknown_tool')
    expect(shape).toEqual({
      body: {
        error: 'Unknown tool: nope',
        tool: 'nope',
        tools: ['act', 'house_named', 'rare', 'slow', 'busy', 'list'],
      },
      isError: true,
    })
    expect(JSON.parse(text)).toEqual(shape.body)
  })

  it('names a tool in an instruction as clients know it', async () => {
    const { shape } = await boundary.call('house_named', {}, ada)
    expect(shape.body).toMatchObject({ instruction: 'Call `house_named`, not `nobody`.' })
  })

  it('turns a foreseen failure into a result in our own words, whose kind survives the shape', async () => {
    const { result, shape } = await boundary.call('act', { kind: 'foreseen' }, ada)
    expect(result.errorType).toBe('storage_full')
    expect(shape.isError).toBe(true)
    expect(shape.body).toMatchObject({ error: 'The disk is full', error_type: 'storage_full' })
  })

  it('I11 logs foreseen outcomes at debug, and only what a tool threw at error', async () => {
    await boundary.call('act', { kind: 'foreseen' }, ada)
    await boundary.call('act', { kind: 'wrong' }, ada)
    await boundary.settled()
    const levels = (level: string) =>
      lines.filter((line) => line.level === level).map(({ msg }) => msg)
    expect(levels('error')).toEqual([])
    expect(levels('debug')).toEqual([
      'Tool act answered storage_full: The disk is full',
      'Tool act answered validation_error: kind must be "ok" or "foreseen" or "unforeseen"',
    ])
    await boundary.call('act', { kind: 'unforeseen' }, ada)
    expect(levels('error')).toEqual([
      'Tool act failed: secret detail at /secret/path',
      'unexpected error',
    ])
  })

  it('shows an incident id for an unexpected error, and keeps the rest for the log', async () => {
    const { text, shape } = await boundary.call('act', { kind: 'unforeseen' }, ada)
    expect(text).not.toMatch(/secret|stack/)
    const incident = /incident (\w{8})/.exec(String(shape.body.error))?.[1]
    expect(lines.find((line) => line.incident === incident)).toMatchObject({
      tool: 'act',
      msg: 'unexpected error',
    })
  })

  it('C11 limits calls a minute for each user and says when to try again', async () => {
    await boundary.call('rare', {}, ada)
    await boundary.call('rare', {}, ada)
    const { shape } = await boundary.call('rare', {}, ada)
    expect(shape.isError).toBe(true)
    expect(shape.body).toMatchObject({
      error: 'Rate limit exceeded for rare',
      error_type: 'rate_limited',
      message: expect.stringMatching(/^Try again in \d+ s$/),
    })
    expect((await boundary.call('rare', {}, { ...ada, user: 'bob' })).result.success).toBe(true)
  })

  it('C12 logs every call with tool, params, session, duration, size and success, without secrets', async () => {
    await boundary.call('act', { kind: 'ok', password: 'hunter2' }, ada)
    await boundary.settled()
    const line = lines.find(({ msg }) => msg === 'tool call')
    expect(line).toMatchObject({
      tool: 'act',
      params: { kind: 'ok', password: '[left out]' },
      session: 's1',
      success: true,
      ms: expect.any(Number),
      size: expect.any(Number),
    })
    await boundary.call('list', {}, { user: 'ada', project: '/p' })
    await boundary.settled()
    expect(lines.at(-1)).toMatchObject({ tool: 'list', session: null, results: 3 })
  })

  it('C12 counts calls, success, error kinds, percentiles and limit hits', async () => {
    for (let i = 0; i < 3; i++) await boundary.call('rare', {}, ada)
    for (const kind of ['ok', 'ok', 'foreseen', 'wrong']) await boundary.call('act', { kind }, ada)
    await boundary.settled()
    const stats = await calls.stats()
    expect(stats.find(({ tool }) => tool === 'rare')).toMatchObject({ calls: 3, rateLimitHits: 1 })
    const act = stats.find(({ tool }) => tool === 'act')
    expect(act).toMatchObject({
      calls: 4,
      successRate: 0.5,
      errors: { storage_full: 1, validation_error: 1 },
    })
    expect(act?.p50Ms).toBeGreaterThan(0)
    expect(act?.p99Ms ?? 0).toBeGreaterThanOrEqual(act?.p50Ms ?? Number.POSITIVE_INFINITY)
  })

  it('says a reminder once, beside the body and to the right user and project', async () => {
    reminders.add(ada, 'tasks', 'Two tasks are open')
    expect((await boundary.call('act', { kind: 'ok' }, { ...ada, user: 'bob' })).reminders).toEqual(
      [],
    )
    const { reminders: said, text } = await boundary.call('act', { kind: 'ok' }, ada)
    expect(said).toEqual(['Two tasks are open'])
    expect(text).not.toContain('Two tasks')
    expect((await boundary.call('act', { kind: 'ok' }, ada)).reminders).toEqual([])
  })

  it('C10 tells of a call that outlives its maximum while it still runs, and counts it', async () => {
    const call = boundary.call('slow', {}, ada)
    await expect
      .poll(() => lines.find(({ msg }) => msg === 'a call is taking longer than its maximum'))
      .toMatchObject({ level: 'warn', tool: 'slow', maximumMs: 5 })
    expect(lines.some(({ msg }) => msg === 'tool call')).toBe(false)
    endSlow()
    await call
    await boundary.settled()
    const [slow] = await calls.stats()
    expect(slow).toMatchObject({ tool: 'slow', calls: 1, overruns: 1 })
  })

  it('C10 tells of a call that let nothing else run past its maximum', async () => {
    await boundary.call('busy', {}, ada)
    await boundary.settled()
    expect(lines.filter(({ maximumMs }) => maximumMs === 5)).toHaveLength(1)
    expect((await calls.stats())[0]).toMatchObject({ tool: 'busy', calls: 1, overruns: 1 })
  })

  it('C12 counts and logs what comes from outside and is no tool, and hands on what it throws', async () => {
    expect(await boundary.perform('some hook', ada, async () => 'text')).toBe('text')
    await expect(
      boundary.perform('some hook', ada, async () => {
        throw new Failure('not_found', 'No such dialog')
      }),
    ).rejects.toThrow('No such dialog')
    await boundary.settled()
    const [hook] = await calls.stats()
    expect(hook).toMatchObject({ tool: 'some hook', calls: 2, errors: { not_found: 1 } })
    expect(lines.filter(({ msg }) => msg === 'tool call')).toMatchObject([
      { tool: 'some hook', success: true },
      { tool: 'some hook', success: false, errorType: 'not_found' },
    ])
  })
})
