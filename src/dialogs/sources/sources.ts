import type { Places } from '../places.ts'
import type { Source } from '../source.ts'
import { claudeCode } from './claude-code.ts'
import { vscode } from './vscode.ts'

/** Every agent whose dialogs can be read. */
export function createSources(places: Places): Source[] {
  return [vscode(places), claudeCode(places)]
}
