import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type JsonObject,
  listOf,
  objectOf,
  parsedOr,
} from '@secretary-mcp/transcripts/reading/loose-json.ts'
import { commands, Uri } from 'vscode'
import type { ExportedChat } from './live-chat.ts'

const PATIENCE_MS = 2_000

/** What VS Code holds of the chat that has the focus: current to the moment, but without the session's id. */
export async function exportChat(folder: string): Promise<ExportedChat | undefined> {
  const path = join(folder, `${randomUUID()}.export`)
  const takenAt = Date.now()
  try {
    await mkdir(folder, { recursive: true })
    await within(commands.executeCommand('workbench.action.chat.export', Uri.file(path)))
    const requests = requestsOf(await readFile(path))
    const ids = new Set(requests.map(({ requestId }) => requestId).filter(isText))
    return requests.length > 0 ? { takenAt, requests, ids } : undefined
  } catch {
    // No chat has the focus, or this VS Code cannot export one: the files alone are what there is.
    return undefined
  } finally {
    await rm(path, { force: true })
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function requestsOf(bytes: Buffer): readonly JsonObject[] {
  return listOf(objectOf(parsedOr(bytes)).requests).map(objectOf)
}

async function within(work: Thenable<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The export took too long')), PATIENCE_MS)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
