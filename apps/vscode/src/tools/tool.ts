import {
  type CancellationToken,
  LanguageModelTextPart,
  type LanguageModelTool,
  type LanguageModelToolInvocationOptions,
  type LanguageModelToolInvocationPrepareOptions,
  LanguageModelToolResult,
  type PreparedToolInvocation,
} from 'vscode'
import type { DialogSessionsServiceImpl } from '../sessions/dialog-sessions-service.ts'
import { sessionOfToken } from '../sessions/session-of-token.ts'
import type { ChatMonitorTreeProvider } from '../views/chat-monitor-tree-provider.ts'

/** What every tool of the extension does alike: one text part of JSON comes back, whatever happens. */
export abstract class Tool<Input extends object> implements LanguageModelTool<Input> {
  /** As the manifest has it, which is made from the definitions: those would be too slow to load only for their names. */
  abstract readonly name: string
  protected readonly monitor: ChatMonitorTreeProvider
  protected readonly sessions: DialogSessionsServiceImpl

  constructor(monitor: ChatMonitorTreeProvider, sessions: DialogSessionsServiceImpl) {
    this.monitor = monitor
    this.sessions = sessions
  }

  async invoke(
    options: LanguageModelToolInvocationOptions<Input>,
    token: CancellationToken,
  ): Promise<LanguageModelToolResult> {
    return new LanguageModelToolResult([
      new LanguageModelTextPart(await this.#answer(options, token)),
    ])
  }

  prepareInvocation({
    input,
  }: LanguageModelToolInvocationPrepareOptions<Input>): PreparedToolInvocation {
    return { invocationMessage: this.describe(input) }
  }

  /** The JSON of the answer. */
  protected abstract call(
    options: LanguageModelToolInvocationOptions<Input>,
    token: CancellationToken,
  ): Promise<string>

  /** What the person reads while it runs. */
  protected abstract describe(input: Input): string

  /** Runs the definition that the server has too; the dialog is the one that the call came from. */
  protected async run(
    options: LanguageModelToolInvocationOptions<Input>,
    token: CancellationToken,
  ): Promise<string> {
    const ending = new AbortController()
    const listening = token.onCancellationRequested(() => ending.abort())
    try {
      const caller = sessionOfToken(options.toolInvocationToken)
      const session = namesSession(options.input)
        ? undefined
        : ((await this.monitor.getCurrentSessionId(caller)) ?? caller)
      return await this.answer(options.input, session, ending.signal)
    } finally {
      listening.dispose()
    }
  }

  protected answer(
    input: Input,
    session: string | undefined,
    signal: AbortSignal,
  ): Promise<string> {
    return this.sessions.callTool(this.name, input, session, signal)
  }

  async #answer(
    options: LanguageModelToolInvocationOptions<Input>,
    token: CancellationToken,
  ): Promise<string> {
    try {
      return await this.call(options, token)
    } catch (error) {
      return JSON.stringify(await this.sessions.explain(error, this.name))
    }
  }
}

/** Then the dialog that the call came from does not matter. Some clients fill in every argument with nothing. */
function namesSession(input: unknown): boolean {
  const { sessionId } = (input ?? {}) as { sessionId?: unknown }
  return sessionId !== undefined && sessionId !== null && String(sessionId).trim() !== ''
}
