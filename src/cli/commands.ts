import type { RegisterCommand } from './command-context.ts'
import { registerCall } from './commands/call.ts'
import { registerChat } from './commands/chat.ts'
import { registerConfig } from './commands/config.ts'
import { registerDoctor } from './commands/doctor.ts'
import { registerGuide } from './commands/guide.ts'
import { registerInit } from './commands/init.ts'
import { registerMcp } from './commands/mcp.ts'
import { registerOpen } from './commands/open.ts'
import { registerServe } from './commands/serve.ts'
import { registerStats } from './commands/stats.ts'
import { registerTasks } from './commands/tasks.ts'
import { registerToken } from './commands/token.ts'
import { registerTools } from './commands/tools.ts'

/** In the order of the help text. */
export const commands: readonly RegisterCommand[] = [
  registerServe,
  registerOpen,
  registerMcp,
  registerInit,
  registerTools,
  registerCall,
  registerTasks,
  registerChat,
  registerGuide,
  registerStats,
  registerToken,
  registerConfig,
  registerDoctor,
]
