import { ExtMcpToolDecorator } from '@secretary-mcp/core/ext-mcp-tool-decorator.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Tool } from '@secretary-mcp/core/tool.ts'
import { getFirstRequest } from '@secretary-mcp/secretary/dialogs/tools/get-first-request.ts'
import { getRequest } from '@secretary-mcp/secretary/dialogs/tools/get-request.ts'

const quiet: Log = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
const decorator = new ExtMcpToolDecorator({ prefix: '', log: quiet })

/** VS Code keeps these beginnings for itself: a tool with one registers in silence and never appears. */
const RESERVED = /^(copilot_|vscode_)+/

export interface EditorTool {
  readonly name: string
  readonly tool: Tool
}

/** The tools that run inside the editor, under the names that it lets through. */
export const ownTools: readonly EditorTool[] = [getRequest, getFirstRequest].map(named)

function named(tool: Tool): EditorTool {
  return { name: editorName(tool), tool }
}

export function editorName(tool: Tool): string {
  return decorator.finalName(tool).replace(RESERVED, '')
}
