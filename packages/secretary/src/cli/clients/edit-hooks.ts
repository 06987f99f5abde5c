import { join } from 'node:path'
import type { AgentHook } from './recall-hooks.ts'

const PATIENCE_SEC = 5
const NOTES = ['It runs before every edit and says nothing where there is nothing new.']

/** What makes an agent hear, before it changes a file, what was asked for and decided about it; what other agents' hooks say there does not reach their models. */
export const editHooks: Readonly<Record<string, (command: readonly string[]) => AgentHook>> = {
  'claude-code': (command) => ({
    file: join('.claude', 'settings.json'),
    everywhere: '~/.claude/settings.json',
    content: before(
      'Edit|MultiEdit|Write|NotebookEdit',
      `${command.join(' ')} edit-notes --hook --project "$CLAUDE_PROJECT_DIR"`,
    ),
    notes: NOTES,
  }),
  // It may patch files by a command, too.
  codex: (command) => ({
    file: join('.codex', 'hooks.json'),
    everywhere: '~/.codex/hooks.json',
    content: before('apply_patch|Bash', `${command.join(' ')} edit-notes --hook`),
    notes: NOTES,
  }),
  'copilot-cli': (command) => ({
    file: join('.github', 'hooks', 'secretary.json'),
    content: {
      version: 1,
      hooks: {
        preToolUse: [
          {
            type: 'command',
            matcher: 'apply_patch|edit|create',
            bash: `${command.join(' ')} edit-notes --hook --form copilot`,
            powershell: `${command.join(' ')} edit-notes --hook --form copilot`,
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
