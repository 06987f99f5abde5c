import { redact } from '@secretary-mcp/core/redact.ts'
import { marksOf, positionOf } from '@secretary-mcp/transcripts/deeds/deed-collector.ts'
import type { Dialog, Mark } from '@secretary-mcp/transcripts/dialog.ts'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'
import type { StoredDeed } from '../deeds/deed-store.ts'
import type { Dialogs } from '../dialogs.ts'
import type { Edit } from './match-lines.ts'

export interface AskedRequest {
  readonly sessionId: string
  readonly source: SourceName
  readonly index: number
  readonly timestamp: number
  readonly request: string
  /** The question that a bare reply answers. */
  readonly answers?: string
}

interface Asked {
  readonly dialog: Dialog
  readonly marks: readonly Mark[]
}

/** From deeds to the requests that they were done for. */
export class RequestsBehind {
  readonly #dialogs: Dialogs
  readonly #known = new Map<string, Asked | undefined>()

  constructor(dialogs: Dialogs) {
    this.#dialogs = dialogs
  }

  /** Deeds as edits, without those that nobody asked for. */
  async editsOf(deeds: readonly StoredDeed[]): Promise<Edit[]> {
    const edits: Edit[] = []
    for (const deed of deeds) {
      const position = await this.positionOf(deed)
      if (position > 0 && deed.lines)
        edits.push({
          request: `${deed.sessionId}#${position}`,
          time: deed.time,
          came: deed.lines.came,
        })
    }
    return edits
  }

  async positionOf(deed: StoredDeed): Promise<number> {
    const asked = await this.#asked(deed.sessionId)
    return asked ? positionOf(deed, asked.marks, deed.isHelper) : 0
  }

  async requestOf(name: string): Promise<AskedRequest> {
    const [sessionId = '', position] = name.split(/#(?=\d+$)/)
    const index = Number(position)
    const asked = await this.#asked(sessionId)
    const mark = asked?.marks[index - 1]
    if (!asked || !mark) throw new Error(`no request ${name}`)
    const { dialog } = asked
    const { source, firstSeen } = dialog
    const { request = mark.preview, answers } = await this.#dialogs.texts.asked(
      dialog,
      asked.marks,
      index,
    )
    const timestamp = mark.time ?? firstSeen
    return {
      ...{ sessionId, source, index, timestamp, request: redact(request) },
      ...(answers ? { answers: redact(answers) } : {}),
    }
  }

  async #asked(sessionId: string): Promise<Asked | undefined> {
    if (!this.#known.has(sessionId)) {
      const all = await this.#dialogs.store.findBySession(sessionId)
      const dialog = all.find(({ chatJsonPath }) => chatJsonPath !== undefined) ?? all[0]
      const reading = dialog && (await this.#dialogs.store.findReading(dialog.key))
      this.#known.set(sessionId, dialog && { dialog, marks: marksOf(reading) })
    }
    return this.#known.get(sessionId)
  }
}
