import type { SourceName } from '../dialogs/dialog.ts'

/** How each agent opens a dialog of its own again. Those in an editor have no command for it. */
const RESUME: Readonly<Partial<Record<SourceName, (id: string) => string[]>>> = {
  'claude-code': (id) => ['claude', '--resume', id],
  codex: (id) => ['codex', 'resume', id],
  'gemini-cli': (id) => ['gemini', '--resume', id],
  'copilot-cli': (id) => ['copilot', '--resume', id],
  opencode: (id) => ['opencode', '--session', id],
}

/** How an agent is started with a prompt from standard input or a file. */
const START: Readonly<Record<string, string>> = {
  'claude-code': 'claude "$(secretary handoff)"',
  codex: 'codex "$(secretary handoff)"',
  'gemini-cli': 'gemini -i "$(secretary handoff)"',
  'copilot-cli': 'copilot -i "$(secretary handoff)"',
  opencode: 'opencode --prompt "$(secretary handoff)"',
}

export const RECEIVERS = Object.keys(START)

export function resumeCommand(source: SourceName, sessionId: string): string[] | undefined {
  return RESUME[source]?.(sessionId)
}

export function startCommand(agent: string): string | undefined {
  return START[agent]
}
