import type { CancellationToken, LanguageModelToolInvocationOptions } from 'vscode'
import { Tool } from './tool.ts'

interface Input {
  readonly sessionId?: unknown
}

export class GetFirstRequestTool extends Tool<Input> {
  readonly name = 'chat_secretary_get_first_request'

  protected call(
    options: LanguageModelToolInvocationOptions<Input>,
    token: CancellationToken,
  ): Promise<string> {
    return this.run(options, token)
  }

  protected describe(input: Input): string {
    return `Reading the first request of ${typeof input?.sessionId === 'string' ? 'another' : 'this'} dialog`
  }
}
