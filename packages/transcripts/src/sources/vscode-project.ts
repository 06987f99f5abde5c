import { stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Mark, type Reading, requestsOf } from '../dialog.ts'
import { folderOfUri, projectPath } from '../project-path.ts'
import { documentBytes } from '../reading/document.ts'
import { type JsonObject, objectOf, parsedOr, textOf, timeOf } from '../reading/loose-json.ts'
import type { Found } from '../source.ts'

/** The extension's own folder in VS Code's storage. */
export const EXTENSION_FOLDER = 'secretary.copilot-chat-secretary'

/**
 * The folder that a chat belongs to: `workspace.json` names it. A VS Code that is served to a browser writes `meta.json`
 * with no more than the folder's name: there the extension has noted the folder, or it is the one that we are started in.
 */
export async function projectOfChat(path: string, here?: string): Promise<string | undefined> {
  const chats = dirname(path)
  if (basename(chats) !== 'chatSessions') return undefined
  const storage = dirname(chats)
  const read = (...names: string[]) => jsonAt(join(storage, ...names))
  return (
    (await named(await read('workspace.json'))) ??
    (await named(await read(EXTENSION_FOLDER, 'workspace.json'))) ??
    (await namedByMeta(await read('meta.json'), here))
  )
}

/** A chat that was read before its folder was noted is read again: as if it had changed then. */
export async function changedOrNoted<F extends Found | undefined>(found: F): Promise<F> {
  if (!found || basename(dirname(found.path)) !== 'chatSessions') return found
  const note = join(dirname(dirname(found.path)), EXTENSION_FOLDER, 'workspace.json')
  const { mtimeMs = 0 } = await stat(note).catch(() => ({ mtimeMs: undefined }))
  return mtimeMs > found.mtimeMs ? { ...found, mtimeMs } : found
}

async function named({ folder, workspace }: JsonObject): Promise<string | undefined> {
  const uri = textOf(folder)
  if (uri) return folderOfUri(uri)
  const file = textOf(workspace)
  return file ? workspaceFolder(file) : undefined
}

async function namedByMeta(meta: JsonObject, here?: string): Promise<string | undefined> {
  const { folder, workspace, configuration, name } = meta
  const found = await named({ folder, workspace: workspace ?? configuration })
  if (found !== undefined || here === undefined) return found
  return textOf(name) === basename(here) ? projectPath(here) : undefined
}

async function jsonAt(path: string): Promise<JsonObject> {
  const bytes = await documentBytes(path).catch(() => undefined)
  return objectOf(bytes && parsedOr(bytes))
}

/** The first folder of a `.code-workspace` file. It may hold comments, so it is searched, not parsed. */
async function workspaceFolder(uri: string): Promise<string | undefined> {
  const file = folderOfUri(uri)
  if (!uri.startsWith('file:')) return file && dirname(file)
  const path = fileURLToPath(uri)
  const text = await documentBytes(path).then(String, () => '')
  const first = /"path"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1]
  try {
    return projectPath(resolve(dirname(path), first ? String(JSON.parse(first)) : '.'))
  } catch {
    return projectPath(dirname(path))
  }
}

export type SessionFacts = Pick<
  Reading,
  'sessionId' | 'project' | 'title' | 'agentId' | 'modelId' | 'firstSeen' | 'lastSeen'
>

/** What the fields beside the requests say about a session, on top of what was known. */
export function aboutSession(state: JsonObject, before: SessionFacts): SessionFacts {
  return {
    ...before,
    sessionId: textOf(state.sessionId) ?? before.sessionId,
    title: textOf(state.customTitle) ?? textOf(state.computedTitle) ?? before.title,
    firstSeen: timeOf(state.creationDate) ?? before.firstSeen,
    lastSeen: timeOf(state.lastMessageDate) ?? before.lastSeen,
    agentId: textOf(state.responderUsername) ?? before.agentId,
    modelId:
      textOf(objectOf(objectOf(state.inputState).selectedModel).identifier) ?? before.modelId,
  }
}

/** A request names the agent and the model that answered it. */
export function withAnswerer(before: SessionFacts, request: JsonObject): SessionFacts {
  return {
    ...before,
    agentId: textOf(objectOf(request.agent).id) ?? before.agentId,
    modelId: textOf(request.modelId) ?? before.modelId,
  }
}

export function withStatus(facts: SessionFacts, marks: readonly Mark[]): Omit<Reading, 'offset'> {
  const requests = requestsOf({ marks })
  const times = requests.map(({ time }) => time).filter((time) => time !== undefined)
  return {
    ...facts,
    marks,
    status: requests.at(-1)?.status ?? 'pending',
    firstSeen: facts.firstSeen ?? times[0],
    lastSeen: Math.max(times.at(-1) ?? 0, facts.lastSeen ?? 0) || undefined,
  }
}
