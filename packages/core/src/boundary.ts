import { randomUUID } from 'node:crypto'
import { type Calls, type EndedCall, errorTypeOf, logLine } from './calls.ts'
import type { DecoratedTool } from './ext-mcp-tool-decorator.ts'
import { Failure } from './failure.ts'
import type { Limits } from './limits.ts'
import type { Log } from './log.ts'
import type { Reminders } from './reminders.ts'
import { Result } from './result.ts'
import type { Caller, Progress, Services, Shape } from './tool.ts'
import { noTracing, type Tracing, type Work } from './tracing.ts'

const AT_ONCE = 16
const WAITING = 256

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly progress?: Progress
  /** Where the caller's own trace stands, as `traceparent` says it. */
  readonly parent?: string
}

/** What came of a call: the outcome, for those who decide by its kind, and the family's shape of it. */
export interface Answer {
  readonly result: Result
  readonly shape: Shape
  /** The shape's body as JSON. */
  readonly text: string
  /** Instructions from elsewhere that ride along; never part of the machine-read body. */
  readonly reminders: readonly string[]
}

interface Parts {
  readonly tools: ReadonlyMap<string, DecoratedTool>
  readonly services: Services
  readonly limits: Limits
  /** Absent in an editor, which counts nothing. */
  readonly calls?: Pick<Calls, 'record' | 'recordOverrun'>
  readonly reminders: Reminders
  readonly log: Log
  readonly tracing?: Tracing
}

const never = new AbortController().signal
const noProgress: Progress = () => {}

/** The one place that validates, limits, runs, logs, measures and turns what comes out into a family's shape. */
export class Boundary {
  readonly #parts: Parts
  readonly #lanes = new Lanes()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async call(
    name: string,
    args: unknown,
    caller: Caller,
    options: CallOptions = {},
  ): Promise<Answer> {
    const decorated = this.#parts.tools.get(name)
    if (!decorated) return this.#unknown(name)
    const { tracing = noTracing, reminders } = this.#parts
    return tracing.during(callOf(decorated, options.parent), async (span) => {
      const started = performance.now()
      const result = this.#withFinalNames(await this.#outcome(decorated, args, caller, options))
      const shape = decorated.tool.shape(result)
      const text = JSON.stringify(shape.body)
      const ms = performance.now() - started
      const holdsFiles = decorated.tool.family === 'context'
      const ended = { at: new Date(), tool: name, args, caller, result, ms, text, holdsFiles }
      // The answer is on its way before it is counted and logged.
      setImmediate(() => this.#account(ended))
      span.set({ 'error.type': errorTypeOf(result) })
      return { result, shape, text, reminders: reminders.take(caller) }
    })
  }

  /**
   * What comes from outside and is no tool's call, such as an agent's hook: it waits its turn, and is counted and logged as one.
   * What it throws goes on to the caller.
   */
  async perform<T>(name: string, caller: Caller, work: () => Promise<T>): Promise<T> {
    const started = performance.now()
    const account = (result: Result, text = '') => {
      const ms = performance.now() - started
      const about = { at: new Date(), tool: name, args: {}, caller, holdsFiles: true }
      this.#account({ ...about, result, ms, text })
    }
    try {
      const value = await this.takeTurn(caller.user, work)
      account(Result.ok(value), JSON.stringify(value) ?? '')
      return value
    } catch (error) {
      account(this.#translate(error, name))
      throw error
    }
  }

  /** Everything that one user asks for, by whatever way, shares that user's places. */
  takeTurn<T>(user: string, work: () => Promise<T>): Promise<T> {
    return this.#lanes.run(user, work)
  }

  /** Until every call that was answered is counted and logged. */
  async settled(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
  }

  /** An instruction names a tool in backticks, by its plain name; clients know it under its final one. */
  #withFinalNames(result: Result): Result {
    if (!result.instruction?.includes('`')) return result
    const instruction = result.instruction.replace(/`(\w+)`/g, (quoted, name) => {
      const known = [...this.#parts.tools.values()].find(({ tool }) => tool.name === name)
      return known ? `\`${known.name}\`` : quoted
    })
    return result.with({ instruction })
  }

  #unknown(name: string): Answer {
    const tool = name.slice(0, 100)
    const result = Result.failure(`Unknown tool: ${tool}`, 'unknown_tool', {
      instruction: 'Call one of the tools that exist.',
      data: { tool, tools: [...this.#parts.tools.keys()] },
    })
    this.#parts.log.debug(`Unknown tool: ${tool}`)
    const shape = { body: { error: result.error, ...result.data }, isError: true }
    return { result, shape, text: JSON.stringify(shape.body), reminders: [] }
  }

  async #outcome(
    decorated: DecoratedTool,
    args: unknown,
    caller: Caller,
    options: CallOptions,
  ): Promise<Result> {
    if (decorated.tool.isOperators && caller.role !== 'operator')
      return operatorsOnly(decorated.name)
    const parsed = decorated.tool.arguments.parse(args)
    if (!parsed.ok)
      return Result.failure(parsed.issues[0]?.message ?? 'Invalid arguments', 'validation_error', {
        issues: parsed.issues,
        instruction: 'Correct the arguments and call again.',
      })
    const { limits, services, log } = this.#parts
    const limitPerMinute = decorated.tool.limitPerMinute
    const refused =
      limitPerMinute === undefined
        ? undefined
        : await limits.take(decorated.name, limitPerMinute, caller.user)
    if (refused) return rateLimited(decorated.tool.name, refused.retryAfterMs)
    const endWatch = this.#watch(decorated, parsed.value, caller)
    try {
      return await this.takeTurn(caller.user, () =>
        decorated.run(parsed.value, {
          service: services,
          caller,
          signal: options.signal ?? never,
          log,
          progress: options.progress ?? noProgress,
        }),
      )
    } catch (error) {
      if (isCancelled(error, options.signal))
        return Result.failure('The call was cancelled', 'cancelled')
      return this.#translate(error, decorated.name)
    } finally {
      endWatch()
    }
  }

  /**
   * Told while it still runs: a call that never ends would otherwise never be heard of. One that lets nothing else run
   * until it ends is told of at its end.
   */
  #watch({ tool, name }: DecoratedTool, args: unknown, caller: Caller): () => void {
    const maximumMs = tool.maximumMs?.(args)
    if (maximumMs === undefined) return () => {}
    const { log, calls } = this.#parts
    let isTold = false
    const tell = () => {
      if (isTold) return
      isTold = true
      calls?.recordOverrun(name, caller)
      log.warn(
        { tool: name, user: caller.user, maximumMs },
        'a call is taking longer than its maximum',
      )
    }
    const started = performance.now()
    const timer = setTimeout(tell, maximumMs).unref()
    return () => {
      clearTimeout(timer)
      if (performance.now() - started > maximumMs) tell()
    }
  }

  #translate(error: unknown, tool: string): Result {
    if (error instanceof Failure) {
      if (error.cause) this.#parts.log.warn({ err: error.cause, tool }, error.message)
      return Result.failure(error.message, error.errorType, {
        instruction: error.instruction,
        data: error.data,
      })
    }
    const incident = randomUUID().slice(0, 8)
    this.#parts.log.error({ err: error, tool, incident }, 'unexpected error')
    return Result.failure(
      `Something went wrong (incident ${incident}; see the log)`,
      'unexpected_error',
      {
        instruction: 'Do not try to repair this. Tell the person the incident id.',
      },
    )
  }

  #account(call: EndedCall): void {
    const { log, calls } = this.#parts
    calls?.record(call)
    const errorType = errorTypeOf(call.result)
    // What a tool threw has its line already.
    if (errorType !== undefined && errorType !== 'unexpected_error')
      log.debug(`Tool ${call.tool} answered ${errorType}: ${call.result.error}`)
    log.info(logLine(call), 'tool call')
  }
}

/** As OpenTelemetry's conventions for MCP name it. */
function callOf({ name }: DecoratedTool, parent?: string): Work {
  return {
    ...(parent === undefined ? {} : { parent }),
    name: `tools/call ${name}`,
    measure: 'mcp.server.operation.duration',
    attributes: {
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
    },
  }
}

/** Whoever asked has gone, for whatever reason they gave: nothing went wrong here. */
function isCancelled(error: unknown, signal: AbortSignal | undefined): boolean {
  if (error instanceof Error && error.name === 'AbortError') return true
  return signal?.aborted === true && error === signal.reason
}

function operatorsOnly(tool: string): Result {
  return Result.failure(
    `${tool} changes what all users share, which only an operator may do`,
    'forbidden',
    { instruction: 'Do not look for another way. Tell the person to ask an operator.' },
  )
}

function rateLimited(tool: string, retryAfterMs: number): Result {
  const seconds = Math.ceil(retryAfterMs / 1000)
  return Result.failure(`Rate limit exceeded for ${tool}`, 'rate_limited', {
    message: `Try again in ${seconds} s`,
    instruction: `Wait ${seconds} seconds before calling ${tool} again.`,
    data: { retryAfterSeconds: seconds },
  })
}

interface Lane {
  running: number
  readonly waiting: (() => void)[]
}

/** Calls of one user that run at once: the rest wait their turn, so that nobody starves the others. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  readonly #atOnce: number
  readonly #mostWaiting: number

  constructor(atOnce = AT_ONCE, mostWaiting = WAITING) {
    this.#atOnce = atOnce
    this.#mostWaiting = mostWaiting
  }

  async run<T>(user: string, work: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(user) ?? { running: 0, waiting: [] }
    this.#lanes.set(user, lane)
    if (lane.running < this.#atOnce) lane.running++
    else await this.#turn(lane)
    try {
      return await work()
    } finally {
      const next = lane.waiting.shift()
      if (next) next()
      else if (--lane.running === 0) this.#lanes.delete(user)
    }
  }

  /** Whoever ends hands their place on. */
  #turn(lane: Lane): Promise<void> {
    if (lane.waiting.length >= this.#mostWaiting)
      throw new Failure('too_busy', 'Too many calls at once; try again in a moment', {
        instruction: 'Wait for the calls under way before making more.',
      })
    return new Promise((resolve) => lane.waiting.push(resolve))
  }
}
