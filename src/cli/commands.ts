import type { RegisterCommand } from './command-context.ts'
import { registerCall } from './commands/call.ts'
import { registerChat } from './commands/chat.ts'
import { registerConfig } from './commands/config.ts'
import { registerDialogs } from './commands/dialogs.ts'
import { registerDiscoveries } from './commands/discoveries.ts'
import { registerDoctor } from './commands/doctor.ts'
import { registerGrep } from './commands/grep.ts'
import { registerGuide } from './commands/guide.ts'
import { registerHook } from './commands/hook.ts'
import { registerIndex } from './commands/index-project.ts'
import { registerInit } from './commands/init.ts'
import { registerMcp } from './commands/mcp.ts'
import { registerRead } from './commands/read.ts'
import { registerRecall } from './commands/recall.ts'
import { registerSearch } from './commands/search.ts'
import { registerServe } from './commands/serve.ts'
import { registerStats } from './commands/stats.ts'
import { registerTasks } from './commands/tasks.ts'
import { registerToken } from './commands/token.ts'
import { registerTools } from './commands/tools.ts'

/** In the order of the help text. */
export const commands: readonly RegisterCommand[] = [
  registerServe,
  registerMcp,
  registerInit,
  registerTools,
  registerCall,
  registerDialogs,
  registerRecall,
  registerHook,
  registerTasks,
  registerIndex,
  registerSearch,
  registerGrep,
  registerRead,
  registerDiscoveries,
  registerChat,
  registerGuide,
  registerStats,
  registerToken,
  registerConfig,
  registerDoctor,
]
