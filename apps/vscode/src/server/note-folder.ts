import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { EXTENSION_FOLDER } from '@secretary-mcp/transcripts/sources/vscode-project.ts'
import { workspace } from 'vscode'
import type { ChatPlaces } from '../sessions/chat-places.ts'

/** Names the window's folder in the extension's own storage, as `workspace.json` does on the desktop. */
export async function noteFolder({ window }: Pick<ChatPlaces, 'window'>): Promise<void> {
  const file = workspace.workspaceFile
  const folder = workspace.workspaceFolders?.[0]?.uri
  if (basename(window) !== 'chatSessions' || !(file ?? folder)) return
  const note = file ? { workspace: file.toString() } : { folder: folder?.toString() }
  const own = join(dirname(window), EXTENSION_FOLDER)
  await mkdir(own, { recursive: true })
  const path = join(own, 'workspace.json')
  const text = JSON.stringify(note)
  // Written again, it would have every chat of the window read again.
  if ((await readFile(path, 'utf8').catch(() => '')) !== text) await writeFile(path, text)
}
