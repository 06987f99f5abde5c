import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'
import type { Dialogs } from '../dialogs.ts'

export interface RequestDay {
  readonly day: string
  readonly source: SourceName
  readonly requests: number
}

const PAGE = 500
const MOST_DIALOGS = 20_000

/** How many requests each agent got on each day. What was counted of a dialog holds until the dialog changes. */
export class RequestDays {
  readonly #dialogs: Dialogs
  readonly #counted = new Map<string, { stamp: string; days: ReadonlyMap<string, number> }>()

  constructor(dialogs: Dialogs) {
    this.#dialogs = dialogs
  }

  async since(caller: Caller, day: string, signal: AbortSignal): Promise<RequestDay[]> {
    if (!(await this.#dialogs.ready(caller, signal))) return []
    const sums = new Map<string, RequestDay>()
    const since = Date.parse(day)
    for (let offset = 0; offset < MOST_DIALOGS; offset += PAGE) {
      const filter = { asked: true, since, limit: PAGE, offset }
      const { dialogs } = await this.#dialogs.store.list(filter)
      for (const dialog of dialogs) {
        signal.throwIfAborted()
        for (const [asked, count] of await this.#daysOf(dialog)) {
          if (asked < day) continue
          const key = `${asked} ${dialog.source}`
          const requests = (sums.get(key)?.requests ?? 0) + count
          sums.set(key, { day: asked, source: dialog.source, requests })
        }
      }
      if (dialogs.length < PAGE) break
    }
    return [...sums.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
  }

  async #daysOf(dialog: Dialog): Promise<ReadonlyMap<string, number>> {
    const stamp = `${dialog.size}/${dialog.mtimeMs}`
    const known = this.#counted.get(dialog.key)
    if (known?.stamp === stamp) return known.days
    const days = new Map<string, number>()
    for (const { time } of await this.#dialogs.texts.marks(dialog)) {
      const at = new Date(time ?? dialog.firstSeen)
      if (Number.isNaN(at.getTime())) continue
      const day = at.toISOString().slice(0, 10)
      days.set(day, (days.get(day) ?? 0) + 1)
    }
    this.#counted.set(dialog.key, { stamp, days })
    return days
  }
}
