type HookEvent = 'SessionStart' | 'PreToolUse'

const forClaude = (text: string, hookEventName: HookEvent) => ({
  hookSpecificOutput: { hookEventName, additionalContext: text },
})

/** What an agent wants a hook to answer; most took over the form of Claude Code. */
const ANSWERS: Readonly<Record<string, (text: string, event: HookEvent) => object>> = {
  claude: forClaude,
  // VS Code reads the same file as Copilot CLI, and each looks elsewhere for the text.
  copilot: (text, event) => ({ additionalContext: text, ...forClaude(text, event) }),
}

export const FORMS = Object.keys(ANSWERS)

/** An unknown form is no reason to fail: the session would be told of it instead of starting. */
export function hookAnswer(
  text: string,
  form = 'claude',
  event: HookEvent = 'SessionStart',
): string {
  return JSON.stringify((ANSWERS[form] ?? forClaude)(text, event))
}
