import { Boundary } from '../../../../src/core/boundary.ts'
import { ExtMcpToolDecorator } from '../../../../src/core/ext-mcp-tool-decorator.ts'
import { noLimits } from '../../../../src/core/limits.ts'
import type { Log } from '../../../../src/core/log.ts'
import { Metrics } from '../../../../src/core/metrics.ts'
import { Reminders } from '../../../../src/core/reminders.ts'
import type { Services } from '../../../../src/core/tool.ts'
import type { Dialogs } from '../../../../src/dialogs/dialogs.ts'
import { dialogsFamily } from '../../../../src/dialogs/family.ts'
import { editorTools } from '../tools/editor-tools.ts'

/** The same boundary as the server's, over the two tools that run inside the editor. Nothing is counted here. */
export function toolBoundary(dialogs: Dialogs, log: Log): Boundary {
  const services: Services = {}
  dialogsFamily.provide(services, dialogs)
  const decorator = new ExtMcpToolDecorator({ prefix: '', log })
  const tools = new Map(editorTools.map(({ name, tool }) => [name, { ...decorator.decorate(tool), name }]))
  const metrics = new Metrics({ add: async () => {}, since: async () => [] })
  return new Boundary({ tools, services, limits: noLimits, metrics, reminders: new Reminders(), log })
}
