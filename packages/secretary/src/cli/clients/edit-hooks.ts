import { join } from 'node:path'
import { agentFolders } from '@secretary-mcp/transcripts/places.ts'
import { type AgentHook, powershellLine } from './recall-hooks.ts'
import { shellLine } from './server-entry.ts'

const PATIENCE_SEC = 5
const NOTES = ['It runs before every edit and says nothing where there is nothing new.']

/** What makes an agent hear, before it changes a file, what was asked for and decided about it; what other agents' hooks say there does not reach their models. */
export const editHooks: Readonly<Record<string, (command: readonly string[]) => AgentHook>> = {
  'claude-code': (command) => ({
    file: join('.claude', 'settings.json'),
    own: (around) => join(agentFolders(around).claude, 'settings.json'),
    content: before(
      'Edit|MultiEdit|Write|NotebookEdit',
      `${shellLine(command)} edit-notes --hook --project "$CLAUDE_PROJECT_DIR"`,
    ),
    notes: NOTES,
  }),
  // It may patch files by a command, too.
  codex: (command) => ({
    file: join('.codex', 'hooks.json'),
    own: (around) => join(agentFolders(around).codex, 'hooks.json'),
    content: before('apply_patch|Bash', `${shellLine(command)} edit-notes --hook`),
    notes: NOTES,
  }),
  'copilot-cli': (command) => ({
    file: join('.github', 'hooks', 'secretary.json'),
    own: (around) => join(agentFolders(around).copilot, 'hooks', 'secretary.json'),
    content: {
      version: 1,
      hooks: {
        preToolUse: [
          {
            type: 'command',
            matcher: 'apply_patch|edit|create',
            bash: `${shellLine(command)} edit-notes --hook --form copilot`,
            powershell: `${powershellLine(command)} edit-notes --hook --form copilot`,
            timeoutSec: PATIENCE_SEC,
          },
        ],
      },
    },
    notes: NOTES,
  }),
}

/** The form that Claude Code made and Codex took over. */
const before = (matcher: string, command: string) => ({
  hooks: {
    PreToolUse: [{ matcher, hooks: [{ type: 'command', command, timeout: PATIENCE_SEC }] }],
  },
})
