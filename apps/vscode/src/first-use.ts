import { commandsOf } from './commands/commands.ts'
import { mcpDefinitions, withDatabase } from './server/mcp-definitions.ts'
import { createServices } from './services.ts'
import { chatReader } from './sessions/chat-reader.ts'
import { liveCopies } from './sessions/live-copies.ts'

/** Everything that only a first use needs, in one file: each part more would bring a shared file to activation. */
export const firstUse = {
  chatReader,
  commandsOf,
  createServices,
  liveCopies,
  mcpDefinitions,
  withDatabase,
}
