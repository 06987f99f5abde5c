import type { OpenForeign } from '../foreign-database.ts'
import type { Places } from '../places.ts'
import type { Source } from '../source.ts'
import { claudeCode } from './claude-code.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { copilotCli } from './copilot-cli.ts'
import { cursor } from './cursor.ts'
import { geminiCli } from './gemini-cli.ts'
import { opencode } from './opencode.ts'
import { vscode } from './vscode.ts'

/** Every agent whose dialogs can be read. Without a way to open SQLite files, those that lie in one are left out. */
export function createSources(places: Places, open?: OpenForeign): Source[] {
  const readers = [vscode, claudeCode, codex, geminiCli, copilotCli, cline].map((source) =>
    source(places),
  )
  return [...readers, opencode(places, open), ...(open ? [cursor(places, open)] : [])]
}
