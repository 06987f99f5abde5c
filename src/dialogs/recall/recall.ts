import type { Log } from '../../core/log.ts'
import { Result } from '../../core/result.ts'
import type { Caller } from '../../core/tool.ts'
import type { DeedStore } from '../deeds/deed-store.ts'
import { deedsOfDialog } from '../deeds/deeds-of-dialog.ts'
import type { Dialog } from '../dialog.ts'
import { noActiveDialog } from '../dialog-answers.ts'
import type { Dialogs } from '../dialogs.ts'
import { composeRecall, GROUPS, type Material, type Recall } from './compose-recall.ts'
import { gatherFiles } from './gather-files.ts'
import { gatherRequests } from './gather-requests.ts'
import { openEnds } from './open-ends.ts'
import type { RecallLines, RecallPorts } from './recall-ports.ts'

const MOST_LINES = 30

export interface RecallArguments {
  readonly sessionId?: string
  readonly budget: number
  /** The caller's dialog has just begun: what is asked in it now is known to the caller. */
  readonly isFresh?: boolean
}

interface RecallParts {
  readonly dialogs: Dialogs
  readonly deeds?: DeedStore
  readonly ports: RecallPorts
  readonly log: Log
}

/** One call after a compaction. No model is asked, so it costs nothing and cannot invent. */
export async function recall(
  { dialogs, deeds, ports, log }: RecallParts,
  caller: Caller,
  { sessionId, budget, isFresh = false }: RecallArguments,
  signal: AbortSignal,
): Promise<Result<Recall>> {
  const dialog = sessionId
    ? await dialogs.require(caller, sessionId, signal)
    : await ownOrEarlier(dialogs, caller, isFresh, signal)
  const { groups, problems } = await othersSay(ports, caller, signal, log)
  const nobody = dialog ? undefined : noActiveDialog()
  const said = dialog
    ? await whatHappened(dialogs, deeds, dialog)
    : { totalRequests: 0, latest: [], files: [] }
  const handled = [...new Set([...(said.files ?? []), ...(groups.files?.lines ?? [])])]
  const fromOthers = await othersAsked(dialogs, caller, handled, log)
  if (nobody && fromOthers.length + lineCount(groups) === 0) throw nobody
  const { note } = dialogs.unreadFor(caller)
  const { files: _files, ...rest } = groups
  const asking = sessionId ?? dialogs.sessionNamedBy(caller) ?? dialog?.sessionId
  const material = {
    ...said,
    isEarlier: asking !== dialog?.sessionId,
    files: handled,
    fromOthers,
    groups: rest,
    problems: [...(nobody ? [nobody.message] : []), ...(note ? [note] : []), ...problems],
  }
  return Result.ok(composeRecall(material, budget))
}

/** A database that is away costs this part alone. */
async function othersAsked(
  { shared }: Dialogs,
  caller: Caller,
  files: readonly string[],
  log: Log,
): Promise<string[]> {
  if (!shared) return []
  try {
    const { recallFromSpaces } = await import('../sharing/recall-from-spaces.ts')
    return await recallFromSpaces(shared, caller, files)
  } catch (err) {
    log.warn({ err }, 'a part of the recall is missing')
    return []
  }
}

function lineCount(groups: Partial<Record<keyof RecallPorts, RecallLines>>): number {
  return Object.values(groups).reduce((sum, { lines }) => sum + lines.length, 0)
}

async function ownOrEarlier(
  dialogs: Dialogs,
  caller: Caller,
  isFresh: boolean,
  signal: AbortSignal,
): Promise<Dialog | undefined> {
  const own = await dialogs.find(caller, undefined, signal)
  if (own && own.requestsCount > (isFresh ? 1 : 0)) return own
  return (await dialogs.findEarlier(caller, own?.sessionId)) ?? own
}

type Happened = Omit<Material, 'groups' | 'problems'>

async function whatHappened(
  dialogs: Dialogs,
  store: DeedStore | undefined,
  dialog: Dialog,
): Promise<Happened> {
  const marks = await dialogs.texts.marks(dialog)
  const deeds = await deedsOfDialog(store, dialog, marks)
  const { sessionId, source, title } = dialog
  const { context } = dialogs.index
  return {
    dialog: { sessionId, source, ...(title ? { title } : {}) },
    totalRequests: marks.length,
    ...(await gatherRequests(dialogs.texts, dialog, marks, deeds)),
    state: openEnds(deeds, marks.length),
    files: await gatherFiles({ dialog, marks, deeds, context }).catch(() => []),
  }
}

async function othersSay(ports: RecallPorts, caller: Caller, signal: AbortSignal, log: Log) {
  const asked = ([...GROUPS, 'files'] as const).filter((group) => ports[group])
  const answers = await Promise.allSettled(
    asked.map((group) => ports[group]?.(caller, MOST_LINES, signal)),
  )
  const groups: Partial<Record<keyof RecallPorts, RecallLines>> = {}
  const problems: string[] = []
  for (const [place, answer] of answers.entries()) {
    const group = asked[place]
    if (group === undefined) continue
    if (answer.status === 'fulfilled') groups[group] = answer.value
    else {
      log.warn({ err: answer.reason, group }, 'a part of the recall is missing')
      problems.push(`${group}: could not be read just now`)
    }
  }
  return { groups, problems }
}
