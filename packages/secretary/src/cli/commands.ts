import type { RegisterCommand } from './command-context.ts'

type Loaders = Readonly<Record<string, () => Promise<RegisterCommand>>>

/** In the order of the help text. Each loads only when it is asked for: `secretary mcp` starts without the others. */
export const commandGroups: Readonly<Record<string, Loaders>> = {
  'Set up': {
    init: async () => (await import('./commands/init.ts')).registerInit,
    doctor: async () => (await import('./commands/doctor.ts')).registerDoctor,
    config: async () => (await import('./commands/config.ts')).registerConfig,
    hook: async () => (await import('./commands/hook.ts')).registerHook,
  },
  'Work with your agents': {
    dialogs: async () => (await import('./commands/dialogs.ts')).registerDialogs,
    recall: async () => (await import('./commands/recall.ts')).registerRecall,
    pins: async () => (await import('./commands/pins.ts')).registerPins,
    ledger: async () => (await import('./commands/ledger.ts')).registerLedger,
    why: async () => (await import('./commands/why.ts')).registerWhy,
    how: async () => (await import('./commands/experience.ts')).registerHow,
    fix: async () => (await import('./commands/experience.ts')).registerFix,
    'edit-notes': async () => (await import('./commands/edit-notes.ts')).registerEditNotes,
    handoff: async () => (await import('./commands/handoff.ts')).registerHandoff,
    resume: async () => (await import('./commands/handoff.ts')).registerResume,
    'same-project': async () => (await import('./commands/same-project.ts')).registerSameProject,
    forget: async () => (await import('./commands/forget.ts')).registerForget,
  },
  'Search and read': {
    pack: async () => (await import('./commands/pack.ts')).registerPack,
    search: async () => (await import('./commands/search.ts')).registerSearch,
    grep: async () => (await import('./commands/grep.ts')).registerGrep,
    read: async () => (await import('./commands/read.ts')).registerRead,
    discoveries: async () => (await import('./commands/discoveries.ts')).registerDiscoveries,
    index: async () => (await import('./commands/index-project.ts')).registerIndex,
  },
  'Rules and tasks': {
    guide: async () => (await import('./commands/guide.ts')).registerGuide,
    tasks: async () => (await import('./commands/tasks.ts')).registerTasks,
    chat: async () => (await import('./commands/chat.ts')).registerChat,
  },
  Serve: {
    mcp: async () => (await import('./commands/mcp.ts')).registerMcp,
    serve: async () => (await import('./commands/serve.ts')).registerServe,
    open: async () => (await import('./commands/open.ts')).registerOpen,
  },
  Tools: {
    tools: async () => (await import('./commands/tools.ts')).registerTools,
    call: async () => (await import('./commands/call.ts')).registerCall,
    stats: async () => (await import('./commands/stats.ts')).registerStats,
  },
  'Teams and machines': {
    team: async () => (await import('./commands/team.ts')).registerTeam,
    token: async () => (await import('./commands/token.ts')).registerToken,
    sync: async () => (await import('./commands/sync.ts')).registerSync,
    backup: async () => (await import('./commands/backup.ts')).registerBackup,
    restore: async () => (await import('./commands/backup.ts')).registerRestore,
  },
}

export const commands: Loaders = Object.assign({}, ...Object.values(commandGroups))
