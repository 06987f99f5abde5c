import type { RegisterCommand } from './command-context.ts'

/** In the order of the help text. Each loads only when it is asked for: \`secretary mcp\` starts without the others. */
export const commands: Readonly<Record<string, () => Promise<RegisterCommand>>> = {
  serve: async () => (await import('./commands/serve.ts')).registerServe,
  open: async () => (await import('./commands/open.ts')).registerOpen,
  mcp: async () => (await import('./commands/mcp.ts')).registerMcp,
  init: async () => (await import('./commands/init.ts')).registerInit,
  tools: async () => (await import('./commands/tools.ts')).registerTools,
  call: async () => (await import('./commands/call.ts')).registerCall,
  dialogs: async () => (await import('./commands/dialogs.ts')).registerDialogs,
  recall: async () => (await import('./commands/recall.ts')).registerRecall,
  hook: async () => (await import('./commands/hook.ts')).registerHook,
  search: async () => (await import('./commands/search.ts')).registerSearch,
  index: async () => (await import('./commands/index-project.ts')).registerIndex,
  grep: async () => (await import('./commands/grep.ts')).registerGrep,
  read: async () => (await import('./commands/read.ts')).registerRead,
  discoveries: async () => (await import('./commands/discoveries.ts')).registerDiscoveries,
  guide: async () => (await import('./commands/guide.ts')).registerGuide,
  tasks: async () => (await import('./commands/tasks.ts')).registerTasks,
  chat: async () => (await import('./commands/chat.ts')).registerChat,
  stats: async () => (await import('./commands/stats.ts')).registerStats,
  token: async () => (await import('./commands/token.ts')).registerToken,
  config: async () => (await import('./commands/config.ts')).registerConfig,
  doctor: async () => (await import('./commands/doctor.ts')).registerDoctor,
}
