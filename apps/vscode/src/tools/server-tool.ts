import type { CancellationToken, LanguageModelToolInvocationOptions } from 'vscode'
import type { DialogSessionsServiceImpl } from '../sessions/dialog-sessions-service.ts'
import type { ChatMonitorTreeProvider } from '../views/chat-monitor-tree-provider.ts'
import { Tool } from './tool.ts'

/** As the manifest has it. */
export interface DeclaredTool {
  readonly name: string
  readonly displayName: string
  readonly toolReferenceName: string
  readonly inputSchema: { readonly properties: Readonly<Record<string, unknown>> }
}

/** A tool that the server answers; where it is about a dialog, that is the one the call came from. */
export class ServerTool extends Tool<object> {
  readonly name: string
  readonly #declared: DeclaredTool

  constructor(
    monitor: ChatMonitorTreeProvider,
    sessions: DialogSessionsServiceImpl,
    declared: DeclaredTool,
  ) {
    super(monitor, sessions)
    this.name = declared.name
    this.#declared = declared
  }

  protected call(
    options: LanguageModelToolInvocationOptions<object>,
    token: CancellationToken,
  ): Promise<string> {
    return this.run(options, token)
  }

  protected describe(): string {
    return this.#declared.displayName
  }

  protected override answer(
    input: object,
    session: string | undefined,
    signal: AbortSignal,
  ): Promise<string> {
    const isAboutDialog = 'sessionId' in this.#declared.inputSchema.properties
    const bound = isAboutDialog && session !== undefined ? { sessionId: session } : {}
    return this.sessions.callServer(this.name, { ...input, ...bound }, signal)
  }
}
