import { randomUUID } from 'node:crypto'
import type { DecoratedTool } from './ext-mcp-tool-decorator.ts'
import { Failure } from './failure.ts'
import type { Limits } from './limits.ts'
import type { Log } from './log.ts'
import { loggable } from './loggable.ts'
import type { Metrics } from './metrics.ts'
import type { Reminders } from './reminders.ts'
import { Result } from './result.ts'
import type { Caller, Progress, Services, Shape } from './tool.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly progress?: Progress
}

export interface Answer extends Shape {
  readonly text: string
  /** Instructions from elsewhere that ride along; never part of the machine-read body. */
  readonly reminders: readonly string[]
}

interface Parts {
  readonly tools: ReadonlyMap<string, DecoratedTool>
  readonly services: Services
  readonly limits: Limits
  readonly metrics: Metrics
  readonly reminders: Reminders
  readonly log: Log
}

/** The name is unknown: the protocol has its own error for that. */
export class UnknownToolError extends Error {
  constructor(name: string) {
    super(`Unknown tool: ${name.slice(0, 100)}`)
    this.name = 'UnknownToolError'
  }
}

const never = new AbortController().signal
const noProgress: Progress = () => {}

/** The one place that validates, limits, runs, logs, measures and turns what comes out into a family's shape. */
export class Boundary {
  readonly #parts: Parts

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
    if (!decorated) throw new UnknownToolError(name)
    const started = performance.now()
    const result = await this.#outcome(decorated, args, caller, options)
    const { body, isError } = decorated.tool.shape(result)
    const text = JSON.stringify(body)
    this.#account(decorated, args, caller, result, performance.now() - started, text.length)
    return { body, isError, text, reminders: this.#parts.reminders.take(caller) }
  }

  async #outcome(
    decorated: DecoratedTool,
    args: unknown,
    caller: Caller,
    options: CallOptions,
  ): Promise<Result> {
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
    try {
      return await decorated.run(parsed.value, {
        service: services,
        caller,
        signal: options.signal ?? never,
        log,
        progress: options.progress ?? noProgress,
      })
    } catch (error) {
      if (isCancelled(error, options.signal))
        return Result.failure('The call was cancelled', 'cancelled')
      return this.#translate(error, decorated.name)
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
    this.#parts.log.error({ err: error, tool, incident }, 'unforeseen error')
    return Result.failure(
      `Something unforeseen went wrong (incident ${incident}; the log has more)`,
      'unexpected_error',
      {
        instruction: 'Do not try to repair this. Tell the person the incident id.',
      },
    )
  }

  #account(
    { name }: DecoratedTool,
    args: unknown,
    caller: Caller,
    result: Result,
    ms: number,
    size: number,
  ): void {
    const errorType = result.success ? undefined : (result.errorType ?? 'unknown')
    this.#parts.metrics.record({ tool: name, ms, errorType })
    this.#parts.log.info(
      {
        tool: name,
        params: loggable(args),
        session: caller.session,
        user: caller.user,
        ms: Math.round(ms * 100) / 100,
        size,
        success: result.success,
        errorType,
      },
      'tool call',
    )
  }
}

/** Whoever asked has gone, for whatever reason they gave: nothing went wrong here. */
function isCancelled(error: unknown, signal: AbortSignal | undefined): boolean {
  if (error instanceof Error && error.name === 'AbortError') return true
  return signal?.aborted === true && error === signal.reason
}

function rateLimited(tool: string, retryAfterMs: number): Result {
  const seconds = Math.ceil(retryAfterMs / 1000)
  return Result.failure(`Rate limit exceeded for ${tool}`, 'rate_limited', {
    message: `Try again in ${seconds} s`,
    instruction: `Wait ${seconds} seconds before calling ${tool} again.`,
    data: { retryAfterSeconds: seconds },
  })
}
