import { redact } from '../../core/redact.ts'
import type { Caller } from '../../core/tool.ts'
import type { LedgerParts } from '../ledger/ledger.ts'
import type { CommandKind, DeedKind } from './deed.ts'
import { byPosition, deedsOfDialog, type PlacedDeed } from './deeds-of-dialog.ts'

const MOST_CHANGES = 60
const MOST_COMMANDS = 100
const LONGEST_DIFF = 20_000

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
  const source = dialogs.index.sourceOf(dialog)
  const changes = []
  for (const deed of own.filter(isChange).slice(0, MOST_CHANGES)) {
    signal.throwIfAborted()
    const { path = '', kind, lines } = deed
    const diff = await source?.diffAt?.(deed.key, deed).catch(() => undefined)
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
