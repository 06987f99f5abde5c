import type { RegisterCommand } from './command-context.ts'
import { registerCall } from './commands/call.ts'
import { registerMcp } from './commands/mcp.ts'
import { registerTools } from './commands/tools.ts'

/** In the order of the help text. */
export const commands: readonly RegisterCommand[] = [registerMcp, registerCall, registerTools]
