/** Where dialogs come from, each with the name people know the agent by. */
const AGENTS = {
  vscode: 'VS Code',
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  'copilot-cli': 'Copilot CLI',
  cursor: 'Cursor',
  opencode: 'opencode',
  cline: 'Cline',
  'cline-cli': 'Cline CLI',
  'qwen-code': 'Qwen Code',
  kilo: 'Kilo',
  continue: 'Continue',
  pi: 'pi',
  droid: 'Droid',
  kimi: 'Kimi Code',
  specstory: 'SpecStory',
} as const

export type SourceName = keyof typeof AGENTS
export const SOURCE_NAMES = Object.keys(AGENTS) as readonly SourceName[]

/** Anything that is no agent of ours goes by its own name. */
export function agentName(source: string): string {
  return (AGENTS as Readonly<Record<string, string>>)[source] ?? source
}

/** Files in the project itself: whoever can write to the repository can write these, so nothing in them counts as the person's words. */
export const REPOSITORY_SOURCES: readonly SourceName[] = ['specstory']

export function isRepositorySource(source: string): boolean {
  return (REPOSITORY_SOURCES as readonly string[]).includes(source)
}
