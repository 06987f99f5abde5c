import { type CancellationToken, type LanguageModelToolInvocationOptions, l10n } from 'vscode'
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
    return typeof input?.sessionId === 'string'
      ? l10n.t('Reading the first request of another dialog')
      : l10n.t('Reading the first request of this dialog')
  }
}
