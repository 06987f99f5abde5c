import type { CancellationToken, LanguageModelToolInvocationOptions } from 'vscode'
import { getFirstRequest } from '../../../../src/dialogs/tools/get-first-request.ts'
import { editorName } from './editor-tools.ts'
import { Tool } from './tool.ts'

interface Input {
  readonly sessionId?: unknown
}

export class GetFirstRequestTool extends Tool<Input> {
  readonly name = editorName(getFirstRequest)

  protected call(options: LanguageModelToolInvocationOptions<Input>, token: CancellationToken): Promise<string> {
    return this.run(options, token)
  }

  protected describe(input: Input): string {
    return `Reading the first request of ${typeof input?.sessionId === 'string' ? 'another' : 'this'} dialog`
  }
}
