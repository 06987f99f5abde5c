import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

interface Asked {
  readonly requestId?: string
  readonly text: string
  readonly answer?: string
  readonly timestamp?: number
  readonly [field: string]: unknown
}

/** When the samples were made; every request comes a minute after the one before. */
export const BEGUN = Date.parse('2026-01-15T10:00:00Z')

/** A `User` folder as VS Code leaves it. */
export class ChatHome {
  readonly user: string
  readonly project: string

  constructor(user: string, project: string) {
    this.user = user
    this.project = project
  }

  get window(): string {
    return this.folder('here', this.project)
  }

  get empty(): string {
    return join(this.user, 'globalStorage', 'emptyWindowChatSessions')
  }

  /** The chats of one window, by the id that VS Code gave its folder. */
  folder(id: string, project: string): string {
    const workspace = join(this.user, 'workspaceStorage', id)
    write(
      join(workspace, 'workspace.json'),
      JSON.stringify({ folder: pathToFileURL(project).href }),
    )
    return join(workspace, 'chatSessions')
  }

  /** Writes a session; the newest by its time is the current one. */
  session(
    folder: string,
    sessionId: string,
    asked: readonly Asked[],
    { title, at = BEGUN }: { title?: string; at?: number } = {},
  ): string {
    const path = join(folder, `${sessionId}.jsonl`)
    const state = {
      version: 3,
      sessionId,
      creationDate: at,
      customTitle: title,
      requests: asked.map((one, place) => requestOf(one, place, at)),
    }
    write(path, `${JSON.stringify({ kind: 0, v: state })}\n`)
    const seconds = (at + asked.length * 60_000) / 1000
    utimesSync(path, seconds, seconds)
    return path
  }

  raw(path: string, content: string | Buffer): string {
    return write(path, content)
  }
}

export function requestOf({ text, answer, ...rest }: Asked, place: number, at = BEGUN): object {
  return {
    requestId: `request_${place}_${text.length}`,
    timestamp: at + place * 60_000,
    message: { text, parts: [] },
    response: answer === undefined ? [] : [{ value: answer }],
    modelState: { value: answer === undefined ? 0 : 1 },
    ...rest,
  }
}

function write(path: string, content: string | Buffer): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}
