import { redact } from '@secretary-mcp/core/redact.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { CommandKind, DeedKind } from '@secretary-mcp/transcripts/deeds/deed.ts'
import { diffsInWhole } from '@secretary-mcp/transcripts/deeds/diff-at.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import type { Source } from '@secretary-mcp/transcripts/source.ts'
import type { StoredDeed } from '../deeds/deed-store.ts'
import { byPosition, deedsOfDialog, type PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import type { Dialogs } from '../dialogs.ts'
import type { LedgerParts } from './ledger.ts'

const MOST_CHANGES = 60
const MOST_COMMANDS = 100
const LONGEST_DIFF = 20_000
const MAX_SHOWN_CHANGES = 6
const MAX_SHOWN_DIFF = 800

export interface RequestWork {
  readonly changes: {
    readonly path: string
    readonly kind: DeedKind
    readonly plus: number
    readonly minus: number
    /** Lines with + and -, as the agent's own file has them; absent where that is gone or does not say. */
    readonly diff?: string
  }[]
  readonly commands: {
    readonly command: string
    readonly kind: CommandKind
    readonly at: number
    /** Absent where nobody saw it end. */
    readonly exit?: number
    /** The last lines of a failure. */
    readonly tail?: string
  }[]
}

/** Everything that was changed and run for one request, in order. */
export async function requestWork(
  { dialogs, store }: LedgerParts,
  caller: Caller,
  { sessionId, index }: { readonly sessionId: string; readonly index: number },
  signal: AbortSignal,
): Promise<RequestWork> {
  const dialog = await dialogs.require(caller, sessionId, signal)
  const marks = await dialogs.texts.marks(dialog)
  const own = byPosition(await deedsOfDialog(store, dialog, marks)).get(index) ?? []
  const isChange = ({ kind }: PlacedDeed) => /^(create|change|delete)$/.test(kind)
  const diffOf = diffReader(dialogs.index.sourceOf(dialog), dialog, signal)
  const changes = []
  for (const deed of own.filter(isChange).slice(0, MOST_CHANGES)) {
    signal.throwIfAborted()
    const { path = '', kind, lines } = deed
    const diff = await diffOf(deed).catch(() => undefined)
    changes.push({
      path,
      kind,
      plus: lines?.plus ?? 0,
      minus: lines?.minus ?? 0,
      ...(diff ? { diff: cut(redact(diff)) } : {}),
    })
  }
  return { changes, commands: own.filter(isCommand).slice(0, MOST_COMMANDS).map(commandOf) }
}

/** The lines of a few changes of one dialog, as the agent's own file has them. */
export async function changedLinesOf(
  dialogs: Dialogs,
  caller: Caller,
  changes: readonly StoredDeed[],
  signal: AbortSignal,
): Promise<{ path: string; diff?: string }[]> {
  const [first] = changes
  if (!first) return []
  const dialog = await dialogs.require(caller, first.sessionId, signal).catch(() => undefined)
  const diffOf = dialog && diffReader(dialogs.index.sourceOf(dialog), dialog, signal)
  const shown: { path: string; diff?: string }[] = []
  for (const deed of changes.slice(0, MAX_SHOWN_CHANGES)) {
    const diff = await diffOf?.(deed).catch(() => undefined)
    const text = diff === undefined ? undefined : redact(diff)
    const short =
      text && text.length > MAX_SHOWN_DIFF ? `${text.slice(0, MAX_SHOWN_DIFF)}\n…` : text
    shown.push({ path: deed.path ?? '', ...(short ? { diff: short } : {}) })
  }
  return shown
}

/** A dialog that is only read as a whole is read once for all of its changes. */
function diffReader(source: Source | undefined, { chatJsonPath }: Dialog, signal: AbortSignal) {
  const context = { signal, warn: () => {}, wantsDeeds: true }
  const wholes = new Map<string, ReturnType<typeof diffsInWhole>>()
  const readAgain = (key: string) =>
    diffsInWhole(async () => {
      const isRow = chatJsonPath !== undefined && key.startsWith(`${chatJsonPath}#`)
      const found = await source?.stat(key, isRow ? chatJsonPath : key)
      return found && source ? source.read(found, undefined, context) : {}
    })
  return async (deed: StoredDeed): Promise<string | undefined> => {
    const { key } = deed
    if (source?.diffAt) return source.diffAt(key, deed)
    const whole = wholes.get(key) ?? readAgain(key)
    wholes.set(key, whole)
    return (await whole)(deed)
  }
}

function isCommand({ kind, text }: PlacedDeed): boolean {
  return kind === 'command' && text !== undefined
}

function commandOf({ text = '', commandKind = 'other', time, exit, tail }: PlacedDeed) {
  return {
    command: text,
    kind: commandKind,
    at: time,
    ...(exit === undefined ? {} : { exit }),
    ...(tail ? { tail } : {}),
  }
}

function cut(diff: string): string {
  return diff.length > LONGEST_DIFF ? `${diff.slice(0, LONGEST_DIFF)}\n…` : diff
}
