import { sharedEntry } from '@secretary-mcp/secretary/cli/clients/server-entry.ts'
import { NAME, type PackageFacts } from './package-facts.ts'

// biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in
const WORKSPACE = '${workspaceFolder}'

/** One line for each way in; the real programs run those that they can in `npm run test:agents`. */
export function installLines(facts: PackageFacts): Readonly<Record<string, string>> {
  const { name, repository } = facts
  return {
    any: `npm install --global ${name} && ${NAME} init`,
    'claude-code': `claude plugin marketplace add ${repository} && claude plugin install ${NAME}@${NAME}`,
    codex: `codex plugin marketplace add ${repository} && codex plugin add ${NAME}@${NAME}`,
    'gemini-cli': `gemini extensions install https://github.com/${repository}`,
    vscode: `code --add-mcp '${JSON.stringify({ name: NAME, ...sharedEntry() })}'`,
    skill: `npx skills add ${repository}`,
  }
}

/** Opens Cursor, which asks before it adds the server. */
export function cursorLink(): string {
  const entry = JSON.stringify(sharedEntry({ project: WORKSPACE }))
  const config = encodeURIComponent(Buffer.from(entry).toString('base64'))
  return `https://cursor.com/en/install-mcp?name=${NAME}&config=${config}`
}
