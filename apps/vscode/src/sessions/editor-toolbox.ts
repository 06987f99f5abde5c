import { Boundary } from '../../../../src/core/boundary.ts'
import { ExtMcpToolDecorator } from '../../../../src/core/ext-mcp-tool-decorator.ts'
import { noLimits } from '../../../../src/core/limits.ts'
import type { Log } from '../../../../src/core/log.ts'
import { Metrics } from '../../../../src/core/metrics.ts'
import { Reminders } from '../../../../src/core/reminders.ts'
import { Result } from '../../../../src/core/result.ts'
import type { Dialogs } from '../../../../src/dialogs/dialogs.ts'
import { dialogsFamily } from '../../../../src/dialogs/family.ts'
import { getRequest } from '../../../../src/dialogs/tools/get-request.ts'
import { ownTools } from '../tools/editor-tools.ts'

export interface EditorToolbox {
  readonly boundary: Boundary
  /** A failure in the JSON shape of the family. */
  readonly failureBody: (message: string, errorType: string) => object
}

/** The same boundary as the server's, over the two tools that run inside the editor. Nothing is counted here. */
export function editorToolbox(dialogs: Dialogs, log: Log): EditorToolbox {
  const decorator = new ExtMcpToolDecorator({ prefix: '', log })
  const tools = new Map(
    ownTools.map(({ name, tool }) => [name, { ...decorator.decorate(tool), name }]),
  )
  const metrics = new Metrics({ add: async () => {}, since: async () => [] })
  return {
    boundary: new Boundary({
      tools,
      services: new Map([dialogsFamily.serving(dialogs)]),
      limits: noLimits,
      metrics,
      reminders: new Reminders(),
      log,
    }),
    failureBody: (message, errorType) => getRequest.shape(Result.failure(message, errorType)).body,
  }
}
