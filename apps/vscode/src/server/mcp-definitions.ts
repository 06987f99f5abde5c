import { type McpServerDefinition, McpStdioServerDefinition } from 'vscode'
import { type ProjectFolder, projectFolders } from './project-folders.ts'
import { databaseOf, familiesFor, type ServerParts, serverProgram } from './server-program.ts'

/**
 * The server for the window's agents, and one more for each further folder, to search it.
 * What is about dialogs the editor offers itself: it knows which chat calls, and what is not on the disk yet.
 */
export function mcpDefinitions(parts: ServerParts, version: string): McpStdioServerDefinition[] {
  const [first, ...others] = projectFolders()
  const searched = familiesFor(first?.path).includes('context') ? others : []
  return [
    definition(parts, 'Secretary', first, familiesFor(first?.path), version),
    ...searched.map((folder) =>
      definition(parts, `Secretary (${folder.name})`, folder, ['context'], version),
    ),
  ].filter((one) => one !== undefined)
}

/** What only the start needs stays out of what VS Code remembers. */
export async function withDatabase(
  parts: ServerParts,
  server: McpServerDefinition,
): Promise<McpServerDefinition> {
  if (server instanceof McpStdioServerDefinition)
    server.env = { ...server.env, ...(await databaseOf(parts)) }
  return server
}

function definition(
  parts: ServerParts,
  label: string,
  folder: ProjectFolder | undefined,
  families: readonly string[],
  version: string,
): McpStdioServerDefinition | undefined {
  if (families.length === 0) return undefined
  const { command, script, env } = serverProgram(parts, folder?.path)
  const surroundings = { ...env, SECRETARY_FAMILIES: families.join(',') }
  return new McpStdioServerDefinition(label, command, [script, 'mcp'], surroundings, version)
}
