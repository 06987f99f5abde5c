import { claudeCode, KEY } from './claude-code.ts'
import { codex } from './codex.ts'
import { proveAgent } from './prove-agent.ts'
import { proveEditNotes } from './prove-edit-notes.ts'
import { proveInTerminal } from './prove-in-terminal.ts'
import { provePlugin } from './prove-plugin.ts'
import { proveTogether } from './prove-together.ts'

proveAgent(claudeCode)
provePlugin(claudeCode, {
  checks: (root) => [
    ['plugin', 'validate', '--strict', root],
    ['plugin', 'validate', '--profile', 'directory', `${root}plugins/claude-code`],
  ],
})
proveEditNotes(claudeCode)
proveInTerminal(claudeCode, {
  args: ['--dangerously-skip-permissions'],
  ready: /bypass permissions on/,
  stopped: /[Ii]nterrupted/,
  marksInterrupt: true,
  compaction: { command: '/compact', over: /Compacted|compacted/, isTold: true },
  settings: (house) =>
    house.write(
      house.inHome('.claude.json'),
      JSON.stringify({
        hasCompletedOnboarding: true,
        bypassPermissionsModeAccepted: true,
        customApiKeyResponses: { approved: [KEY], rejected: [] },
        projects: {
          [house.project]: {
            hasTrustDialogAccepted: true,
            hasCompletedProjectOnboarding: true,
            enabledMcpjsonServers: ['secretary'],
          },
        },
      }),
    ),
})
proveTogether(claudeCode, codex)
