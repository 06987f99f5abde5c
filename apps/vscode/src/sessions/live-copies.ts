import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type LiveCopy,
  liveFolder,
  sessionOfFile,
} from '@secretary-mcp/transcripts/sources/vscode-live.ts'
import { exportChat } from './chat-export.ts'
import type { ExportedChat, LiveChat } from './live-chat.ts'

/** Long after VS Code has written a chat down, its copy says nothing new. */
const KEPT_MS = 600_000

/** Copies of the chats of one `User` folder, for this window and for every server that reads the folder. */
export function liveCopies(user: string): LiveChat {
  const folder = liveFolder(user)
  return {
    take: () => exportChat(folder),
    async keep(path, chat, isCalling) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, `${sessionOfFile(path)}.json`)
      const part = `${file}.${randomUUID()}`
      await writeFile(part, JSON.stringify(copyOf(path, chat, isCalling)), { mode: 0o600 })
      await rename(part, file)
      await removeOld(folder)
    },
  }
}

/** VS Code exports an answer that is still being written as cancelled; a tool that runs in it knows better. */
function copyOf(path: string, { takenAt, requests }: ExportedChat, isCalling: boolean): LiveCopy {
  const last = requests.at(-1)
  if (!last || !isCalling) return { path, takenAt, requests }
  const answering = { ...last, modelState: { value: 0 }, isCanceled: false }
  return { path, takenAt, requests: requests.with(-1, answering) }
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    const found = await stat(file).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > KEPT_MS) await rm(file, { force: true })
  }
}
