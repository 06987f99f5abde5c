import { Boundary } from '@secretary-mcp/core/boundary.ts'
import { ExtMcpToolDecorator } from '@secretary-mcp/core/ext-mcp-tool-decorator.ts'
import type { FailureKind } from '@secretary-mcp/core/failure.ts'
import { noLimits } from '@secretary-mcp/core/limits.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import { Reminders } from '@secretary-mcp/core/reminders.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Dialogs } from '@secretary-mcp/secretary/dialogs/dialogs.ts'
import { dialogsFamily } from '@secretary-mcp/secretary/dialogs/family.ts'
import { getRequest } from '@secretary-mcp/secretary/dialogs/tools/get-request.ts'
import { ownTools } from '../tools/editor-tools.ts'

export interface EditorToolbox {
  readonly boundary: Boundary
  /** A failure in the JSON shape of the family. */
  readonly failureBody: (message: string, errorType: FailureKind) => object
}

/** The same boundary as the server's, over the two tools that run inside the editor. Nothing is counted here. */
export function editorToolbox(dialogs: Dialogs, log: Log): EditorToolbox {
  const decorator = new ExtMcpToolDecorator({ prefix: '', log })
  const tools = new Map(
    ownTools.map(({ name, tool }) => [name, { ...decorator.decorate(tool), name }]),
  )
  return {
    boundary: new Boundary({
      tools,
      services: new Map([dialogsFamily.serving(dialogs)]),
      limits: noLimits,
      reminders: new Reminders(),
      log,
    }),
    failureBody: (message, errorType) => getRequest.shape(Result.failure(message, errorType)).body,
  }
}
