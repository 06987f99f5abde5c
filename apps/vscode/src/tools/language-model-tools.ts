import '@secretary-mcp/secretary/dialogs/tool-modules.ts'
import type { Tool } from '@secretary-mcp/core/tool.ts'
import { ToolArguments, toolCollection } from '@secretary-mcp/core/tool-arguments.ts'
import { dialogsFamily } from '@secretary-mcp/secretary/dialogs/family.ts'
import { editorName, ownTools } from './editor-tools.ts'

/** Everything about dialogs: the editor knows which chat calls, so these are its own and not the MCP server's. */
const own = new Set(ownTools.map(({ tool }) => tool))
const declared: readonly Tool[] = [
  ...own,
  ...toolCollection.ofFamily(dialogsFamily.name).filter((tool) => !own.has(tool)),
]

/** The manifest's entries, made from the same definitions as the server's tools by `npm run generate`. */
export function languageModelTools(): object[] {
  return declared.map((tool) => ({
    name: editorName(tool),
    displayName: tool.title,
    toolReferenceName: referenceName(tool),
    canBeReferencedInPrompt: true,
    icon: '$(comment-discussion)',
    tags: ['dialogs', 'memory'],
    userDescription: tool.description.split('\n')[0],
    modelDescription: modelDescription(tool),
    inputSchema: tool.arguments.toJsonSchema(),
  }))
}

/** When to use the tool, its parameters, returns and examples, if it has such a text; its schema is sent beside it. */
function modelDescription(tool: Tool): string {
  const compact = ToolArguments.buildToolDescription(tool, 'compact')
  return tool.about === undefined ? compact : `${compact.split('\n')[0]}\n${tool.about}`
}

/** VS Code derives these, but says to declare them all the same. */
export function toolActivationEvents(): string[] {
  return declared.map((tool) => `onLanguageModelTool:${editorName(tool)}`)
}

/** A single word would say nothing among the tools of everybody else. */
function referenceName({ name }: Tool): string {
  return (name.includes('_') ? name : `secretary_${name}`).replace(/_(\w)/g, (_, letter: string) =>
    letter.toUpperCase(),
  )
}
