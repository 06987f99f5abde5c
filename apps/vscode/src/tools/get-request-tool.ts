import { type CancellationToken, type LanguageModelToolInvocationOptions, l10n } from 'vscode'
import { Tool } from './tool.ts'

/** As the definition has it; VS Code hands over whatever the model sent. */
interface Input {
  readonly index?: unknown
  readonly sessionId?: unknown
}

export class GetRequestTool extends Tool<Input> {
  readonly name = 'chat_secretary_get_request'

  protected call(
    options: LanguageModelToolInvocationOptions<Input>,
    token: CancellationToken,
  ): Promise<string> {
    return this.run(options, token)
  }

  protected describe(input: Input): string {
    const index = typeof input?.index === 'number' ? input.index : '?'
    return typeof input?.sessionId === 'string'
      ? l10n.t('Reading request {0} of another dialog', index)
      : l10n.t('Reading request {0} of this dialog', index)
  }
}
