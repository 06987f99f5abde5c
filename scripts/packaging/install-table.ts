import { cursorLink, installLines } from './install-lines.ts'
import type { PackageFacts } from './package-facts.ts'

/** The ways in that an agent has of its own, for the README. */
export function installTable(facts: PackageFacts): string {
  const lines = installLines(facts)
  const rows = [
    ['any agent', `\`${lines.any}\``],
    ['Claude Code', `\`${lines['claude-code']}\``],
    ['Codex', `\`${lines.codex}\``],
    ['Gemini CLI', `\`${lines['gemini-cli']}\``],
    ['Cursor', `[Add to Cursor](${cursorLink()}), or the plugin in \`plugins/cursor\``],
    ['VS Code', `\`${lines.vscode}\``],
    ['Claude Desktop', 'open the `.mcpb` file of the latest release for your platform'],
    ['agents without MCP', `\`${lines.skill}\` adds a skill that teaches the command line`],
  ]
  return ['| agent | one line |', '|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join(
    '\n',
  )
}
