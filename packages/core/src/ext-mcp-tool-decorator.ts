import { environment } from './config/environment.ts'
import { Failure } from './failure.ts'
import type { Log } from './log.ts'
import type { Result } from './result.ts'
import { type Prefixes, prefixedName, type Services, type Tool, type ToolCall } from './tool.ts'

/** A tool under its final name, with the logging around its function. */
export interface DecoratedTool {
  readonly name: string
  readonly tool: Tool
  run(args: unknown, call: ToolCall<Services>): Promise<Result>
}

/** Gives tools their final names and logs every call. Without a prefix it takes the one of MCP_TOOL_PREFIX. */
export class ExtMcpToolDecorator {
  readonly #prefixes: Prefixes
  readonly #log: Log

  constructor({
    prefix = environment().MCP_TOOL_PREFIX ?? '',
    families,
    log,
  }: {
    prefix?: string
    families?: Prefixes['families']
    log: Log
  }) {
    this.#prefixes = { fallback: prefix, families }
    this.#log = log
  }

  finalName(tool: Pick<Tool, 'name' | 'prefix' | 'family'>): string {
    return prefixedName(tool, this.#prefixes)
  }

  decorate(tool: Tool): DecoratedTool {
    const name = this.finalName(tool)
    const log = this.#log
    return {
      name,
      tool,
      async run(args, call) {
        log.trace(`Tool called: ${name}`)
        try {
          const outcome = tool.run(args, call)
          if (!(outcome instanceof Promise)) {
            log.debug(`Tool ${name} completed successfully`)
            return outcome
          }
          const result = await outcome
          log.trace(`Tool ${name} completed successfully`)
          return result
        } catch (error) {
          if (call.signal.aborted) log.debug(`Tool ${name} was cancelled`)
          // A foreseen failure is an answer: the boundary logs it as one.
          else if (!(error instanceof Failure))
            log.error(
              `Tool ${name} failed: ${error instanceof Error ? error.message : String(error)}`,
            )
          throw error
        }
      },
    }
  }
}
