import { answerAsSecretary } from './chat/participant.ts'
import { commandsOf } from './commands/commands.ts'
import { mcpDefinitions, withDatabase } from './server/mcp-definitions.ts'
import { createServices } from './services.ts'
import { chatReader } from './sessions/chat-reader.ts'
import { liveCopies } from './sessions/live-copies.ts'
import { whyHover } from './why/why-hover.ts'

/** Everything that only a first use needs, in one file: each part more would bring a shared file to activation. */
export const firstUse = {
  answerAsSecretary,
  chatReader,
  commandsOf,
  createServices,
  liveCopies,
  mcpDefinitions,
  whyHover,
  withDatabase,
}
