import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import type { App } from '../app/app.ts'
import { UsageError } from './command-context.ts'
import type { Terminal } from './terminal.ts'

const SHORTEST = 8
const MAX_LISTED = 10

export const WHERE_DIALOGS_ARE = '`secretary dialogs list --everywhere` lists them'

const never = new AbortController().signal

/** As the person's own clock has it. */
export function day(time: number): string {
  const offsetMs = new Date(time).getTimezoneOffset() * 60_000
  return new Date(time - offsetMs).toISOString().slice(0, 16).replace('T', ' ')
}

/** Behind what somebody else asked and shares; nothing behind what is one's own. */
export function sharedBy({ by, space }: { readonly by?: string; readonly space?: string }): string {
  return by === undefined ? '' : `, ${by} in ${space}`
}

/** The whole id of a dialog for a beginning that no other has. */
async function wholeSessionId<T extends string | undefined>(app: App, given: T): Promise<T> {
  if (given === undefined) return given
  return idStartingWith(await sessionIds(app), given) as T
}

/** The dialog that a person means; the current one where they name none. */
export async function requireDialog(app: App, given: string | undefined): Promise<Dialog> {
  const sessionId = await wholeSessionId(app, given)
  return app.dialogs.require(app.localCaller, sessionId, never).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    throw new Failure(error.errorType, `${error.message}\n  ${WHERE_DIALOGS_ARE}`)
  })
}

/** The same for the arguments of a tool. */
export async function resolveSession(
  app: App,
  args: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { sessionId } = args
  if (typeof sessionId !== 'string') return args
  return { ...args, sessionId: await wholeSessionId(app, sessionId) }
}

export async function shownSessionIds(
  app: App,
  terminal: Terminal,
): Promise<(id: string) => string> {
  // A pipe gets ids whole: nothing has to be read for it.
  if (terminal.columns === Number.POSITIVE_INFINITY) return (id) => id
  return shortIds(await sessionIds(app))
}

async function sessionIds({ dialogs, localCaller }: App): Promise<string[]> {
  return (await dialogs.ready(localCaller, never)) ? dialogs.store.sessionIds() : []
}

/** The beginning of an id that no other one has, for a person to read and type. */
export function shortIds(ids: Iterable<string>): (id: string) => string {
  const sorted = [...new Set(ids)].sort()
  const short = new Map(
    sorted.map((id, at) => {
      const common = Math.max(commonStart(id, sorted[at - 1]), commonStart(id, sorted[at + 1]))
      return [id, id.slice(0, Math.max(SHORTEST, common + 1))]
    }),
  )
  return (id) => short.get(id) ?? id
}

/** Ids as a person sees them on a screen; a pipe gets them whole. */
export function shownIds({ columns }: Terminal, ids: Iterable<string>): (id: string) => string {
  return columns === Number.POSITIVE_INFINITY ? (id) => id : shortIds(ids)
}

/** The one id that begins so; what was given where none does, for the command itself to say so. */
export function idStartingWith(ids: Iterable<string>, given: string): string {
  const fitting = [...new Set(ids)].filter((id) => id.startsWith(given)).sort()
  if (fitting.includes(given) || given === '') return given
  if (fitting.length <= 1) return fitting[0] ?? given
  const listed = fitting.slice(0, MAX_LISTED).map((id) => `  ${id}`)
  const more = fitting.length - listed.length
  throw new UsageError(
    [
      `${given} is the beginning of ${fitting.length} ids; type more of the one you mean:`,
      ...listed,
      ...(more > 0 ? [`  … and ${more} more`] : []),
    ].join('\n'),
  )
}

function commonStart(one: string, other = ''): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}
