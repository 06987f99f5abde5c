import type { OpenForeign } from '../foreign-database.ts'
import type { Places } from '../places.ts'
import type { Source } from '../source.ts'
import { claudeCode } from './claude-code.ts'
import { cline } from './cline.ts'
import { clineCli } from './cline-cli.ts'
import { codex } from './codex.ts'
import { continueCli } from './continue.ts'
import { copilotCli } from './copilot-cli.ts'
import { cursor } from './cursor.ts'
import { droid } from './droid.ts'
import { geminiCli } from './gemini-cli.ts'
import { kimi } from './kimi.ts'
import { kilo, opencode } from './opencode.ts'
import { pi } from './pi.ts'
import { qwenCode } from './qwen-code.ts'
import { specstory } from './specstory.ts'
import { vscode } from './vscode.ts'

/** Every agent whose dialogs can be read. Without a way to open SQLite files, those that lie in one are left out. */
export function createSources(places: Places, open?: OpenForeign): Source[] {
  const inFiles = [
    claudeCode,
    codex,
    geminiCli,
    copilotCli,
    cline,
    clineCli,
    qwenCode,
    continueCli,
    pi,
    droid,
    kimi,
    specstory,
  ].map((source) => source(places))
  const inRows = open ? [cursor(places, open), kilo(places, open)] : []
  return [vscode(places, open), ...inFiles, opencode(places, open), ...inRows]
}
