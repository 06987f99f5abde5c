import { ToolArguments } from '../../../../src/core/tool-arguments.ts'
import { type EditorTool, editorTools } from './editor-tools.ts'

/** The manifest's entries, made from the same definitions as the server's tools by `npm run generate`. */
export function languageModelTools(): object[] {
  return editorTools.map(({ name, tool }: EditorTool) => ({
    name,
    displayName: tool.title,
    toolReferenceName: tool.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    canBeReferencedInPrompt: true,
    icon: '$(comment-discussion)',
    tags: ['dialogs', 'memory'],
    userDescription: tool.description.split('\n')[0],
    modelDescription: ToolArguments.buildToolDescription(tool, 'compact'),
    inputSchema: tool.arguments.toJsonSchema(),
  }))
}

/** VS Code derives these, but says to declare them all the same. */
export function toolActivationEvents(): string[] {
  return editorTools.map(({ name }) => `onLanguageModelTool:${name}`)
}
