import { join } from 'node:path'
import type { AgentHook } from './recall-hooks.ts'

const PATIENCE_SEC = 5

/** What makes an agent hear, before it changes a file, what was asked for and decided about it. Others have no such hook. */
export const editHooks: Readonly<Record<string, (command: readonly string[]) => AgentHook>> = {
  'claude-code': (command) => ({
    file: join('.claude', 'settings.json'),
    everywhere: '~/.claude/settings.json',
    content: {
      hooks: {
        PreToolUse: [
          {
            matcher: 'Edit|MultiEdit|Write|NotebookEdit',
            hooks: [
              {
                type: 'command',
                command: `${command.join(' ')} edit-notes --hook --project "$CLAUDE_PROJECT_DIR"`,
                timeout: PATIENCE_SEC,
              },
            ],
          },
        ],
      },
    },
    notes: ['It runs before every edit and says nothing where there is nothing new.'],
  }),
}
