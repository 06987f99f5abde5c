import type { SourceName } from '../../../../src/dialogs/dialog.ts'

const AGENTS: Readonly<Record<SourceName, string>> = {
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
}

/** The name people know an agent by; anything else goes by its own. */
export function agentName(source: string): string {
  return (AGENTS as Readonly<Record<string, string>>)[source] ?? source
}
