import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'
import { readTokenUse, recordsTokens, type TokenUse } from '@secretary-mcp/transcripts/token-use.ts'
import type { Dialogs } from '../dialogs/dialogs.ts'
import { costOf, type PriceFile, type PriceTable } from './prices.ts'

const PAGE = 500
const MAX_DIALOGS = 20_000
const MAX_KEPT = 2_000

export interface TokenSum {
  /** Answers of a model. */
  readonly answers: number
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** By the person's prices; absent if a model in it has none. */
  readonly cost?: number
}

export interface TokenRow extends TokenSum {
  readonly day: string
  readonly source: SourceName
  readonly model: string
}

interface RequestTokens extends TokenSum {
  readonly index: number
}

/** What agents' models took, as their own files say. What was read of a dialog holds until the dialog changes. */
export class TokenUsage {
  readonly #dialogs: Dialogs
  readonly #prices: PriceFile
  readonly #read = new Map<string, { readonly stamp: string; readonly uses: TokenUse[] }>()

  constructor(dialogs: Dialogs, prices: PriceFile) {
    this.#dialogs = dialogs
    this.#prices = prices
  }

  /** By day, agent and model, since the beginning of a day such as 2026-01-31. */
  async rows(caller: Caller, since: string, signal: AbortSignal): Promise<TokenRow[]> {
    if (!(await this.#dialogs.ready(caller, signal))) return []
    const table = this.#prices.read()
    const groups = new Map<string, { row: Omit<TokenRow, keyof TokenSum>; uses: TokenUse[] }>()
    // A dialog that goes on from another may repeat its answers: they belong to the first.
    const seen = new Set<string>()
    for (const dialog of await this.#dialogsSince(Date.parse(since))) {
      for (const use of await this.#usesOf(dialog, signal)) {
        const id = use.id && `${dialog.source} ${use.id}`
        if (id && seen.has(id)) continue
        if (id) seen.add(id)
        const day = new Date(use.at ?? dialog.lastSeen).toISOString().slice(0, 10)
        if (day < since) continue
        const row = { day, source: dialog.source, model: use.model ?? dialog.modelId ?? '' }
        const key = `${day} ${row.source} ${row.model}`
        const group = groups.get(key) ?? { row, uses: [] }
        group.uses.push({ ...use, model: row.model })
        groups.set(key, group)
      }
    }
    return [...groups.values()]
      .map(({ row, uses }) => ({ ...row, ...sumOf(uses, table) }))
      .sort((a, b) => (a.day === b.day ? b.output - a.output : a.day < b.day ? 1 : -1))
  }

  /** Of each request of a dialog that took any, and of the whole. */
  async ofDialog(
    caller: Caller,
    sessionId: string,
    signal: AbortSignal,
  ): Promise<{ requests: RequestTokens[]; total: TokenSum }> {
    const dialog = await this.#dialogs.require(caller, sessionId, signal)
    const table = this.#prices.read()
    const uses = (await this.#usesOf(dialog, signal)).map((use) => ({
      ...use,
      model: use.model ?? dialog.modelId,
    }))
    const times = (await this.#dialogs.texts.marks(dialog)).map(({ time }) => time ?? 0)
    const byRequest = new Map<number, TokenUse[]>()
    for (const use of uses) {
      const index = Math.max(1, times.findLastIndex((time) => time <= (use.at ?? 0)) + 1)
      const own = byRequest.get(index) ?? []
      own.push(use)
      byRequest.set(index, own)
    }
    const requests = [...byRequest].map(([index, own]) => ({ index, ...sumOf(own, table) }))
    return { requests: requests.sort((a, b) => a.index - b.index), total: sumOf(uses, table) }
  }

  /** The oldest first. */
  async #dialogsSince(since: number): Promise<Dialog[]> {
    const found: Dialog[] = []
    for (let offset = 0; offset < MAX_DIALOGS; offset += PAGE) {
      const { dialogs } = await this.#dialogs.store.list({ since, limit: PAGE, offset })
      found.push(...dialogs.filter(({ source }) => recordsTokens(source)))
      if (dialogs.length < PAGE) break
    }
    return found.sort((a, b) => a.firstSeen - b.firstSeen)
  }

  async #usesOf(dialog: Dialog, signal: AbortSignal): Promise<TokenUse[]> {
    signal.throwIfAborted()
    const { key, source, chatJsonPath, size, mtimeMs } = dialog
    if (chatJsonPath === undefined) return []
    const stamp = `${size}/${mtimeMs}`
    const known = this.#read.get(key)
    if (known?.stamp === stamp) return known.uses
    const { warn } = this.#dialogs.index.context
    // A file that was deleted a moment ago took nothing.
    const uses = await readTokenUse(source, chatJsonPath, { signal, warn }).catch(() => {
      signal.throwIfAborted()
      return []
    })
    this.#read.delete(key)
    this.#read.set(key, { stamp, uses })
    const [oldest] = this.#read.keys()
    if (this.#read.size > MAX_KEPT && oldest !== undefined) this.#read.delete(oldest)
    return uses
  }
}

function sumOf(uses: readonly TokenUse[], table: PriceTable): TokenSum {
  const sum = { answers: uses.length, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  let cost: number | undefined = 0
  for (const use of uses) {
    sum.input += use.input
    sum.output += use.output
    sum.cacheRead += use.cacheRead
    sum.cacheWrite += use.cacheWrite
    const own = costOf(use, table)
    cost = cost === undefined || own === undefined ? undefined : cost + own
  }
  return { ...sum, ...(cost === undefined || uses.length === 0 ? {} : { cost }) }
}
