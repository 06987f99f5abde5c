/** How each agent opens a dialog of its own again. Those in an editor have no command for it. */
const RESUME: Readonly<Record<string, (id: string) => string[]>> = {
  'claude-code': (id) => ['claude', '--resume', id],
  codex: (id) => ['codex', 'resume', id],
  'gemini-cli': (id) => ['gemini', '--resume', id],
  'copilot-cli': (id) => ['copilot', '--resume', id],
  opencode: (id) => ['opencode', '--session', id],
}

/** How each agent is started with a prompt and stays open for more. */
const START: Readonly<Record<string, string>> = {
  'claude-code': 'claude',
  codex: 'codex',
  'gemini-cli': 'gemini -i',
  'copilot-cli': 'copilot -i',
  opencode: 'opencode --prompt',
}

export const RECEIVERS = Object.keys(START)

export function resumeCommand(source: string, sessionId: string): string[] | undefined {
  return RESUME[source]?.(sessionId)
}

/** A line for a shell that has the dialog handed over. */
export function startCommand(agent: string, sessionId: string | undefined): string | undefined {
  const start = START[agent]
  const handoff = sessionId ? `secretary handoff ${shellWord(sessionId)}` : 'secretary handoff'
  return start && `${start} "$(${handoff})"`
}

/** An id is taken from a file that others may have written: in a shell it must stay one word. */
export function shellWord(text: string): string {
  return /^[\w.][\w.-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
