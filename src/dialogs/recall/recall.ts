import type { Log } from '../../core/log.ts'
import { Result } from '../../core/result.ts'
import type { Caller } from '../../core/tool.ts'
import type { Dialog } from '../dialog.ts'
import { noActiveDialog } from '../dialog-answers.ts'
import type { Dialogs } from '../dialogs.ts'
import {
  composeRecall,
  GROUPS,
  type Material,
  type Recall,
  type RecalledRequest,
} from './compose-recall.ts'
import type { RecallPorts } from './recall-ports.ts'

const MOST_LATEST = 40
const MOST_LINES = 30

interface RecallArguments {
  readonly sessionId?: string
  readonly budget: number
}

/** One call after a compaction. No model is asked, so it costs nothing and cannot invent. */
export async function recall(
  { dialogs, ports, log }: { dialogs: Dialogs; ports: RecallPorts; log: Log },
  caller: Caller,
  { sessionId, budget }: RecallArguments,
  signal: AbortSignal,
): Promise<Result<Recall>> {
  const dialog = sessionId
    ? await dialogs.require(caller, sessionId, signal)
    : await ownOrEarlier(dialogs, caller, signal)
  const { groups, problems } = await othersSay(ports, caller, signal, log)
  if (dialog) {
    const said = await requestsFor(dialogs, dialog, budget)
    const told = sessionId ?? dialogs.toldBy(caller) ?? dialog.sessionId
    const isEarlier = told !== dialog.sessionId
    return Result.ok(composeRecall({ ...said, isEarlier, groups, problems }, budget))
  }
  const nobody = noActiveDialog()
  if (Object.values(groups).every(({ lines }) => lines.length === 0)) throw nobody
  const material = { totalRequests: 0, latest: [], groups }
  return Result.ok(composeRecall({ ...material, problems: [nobody.message, ...problems] }, budget))
}

async function ownOrEarlier(
  dialogs: Dialogs,
  caller: Caller,
  signal: AbortSignal,
): Promise<Dialog | undefined> {
  const own = await dialogs.find(caller, undefined, signal)
  return own && own.requestsCount > 0 ? own : ((await dialogs.findEarlier(caller)) ?? own)
}

async function requestsFor(
  dialogs: Dialogs,
  dialog: Dialog,
  budget: number,
): Promise<Pick<Material, 'dialog' | 'totalRequests' | 'first' | 'latest'>> {
  const marks = await dialogs.texts.marks(dialog)
  const recalled = async (position: number): Promise<RecalledRequest | undefined> => {
    const mark = marks[position - 1]
    const text = mark && ((await dialogs.texts.requestText(dialog, mark)) ?? mark.preview)
    return text === undefined
      ? undefined
      : { index: position, timestamp: mark?.time ?? dialog.firstSeen, request: text }
  }
  const latest: RecalledRequest[] = []
  let characters = 0
  // No text of more characters than four times the budget can be part of it: what lies behind is not even read.
  for (
    let position = marks.length;
    position > 1 && latest.length < MOST_LATEST && characters < budget * 4;
    position--
  ) {
    const request = await recalled(position)
    characters += request?.request.length ?? 0
    if (request) latest.push(request)
  }
  const { sessionId, source, title } = dialog
  return {
    dialog: { sessionId, source, ...(title ? { title } : {}) },
    totalRequests: marks.length,
    first: await recalled(1),
    latest,
  }
}

async function othersSay(ports: RecallPorts, caller: Caller, signal: AbortSignal, log: Log) {
  const asked = GROUPS.filter((group) => ports[group])
  const answers = await Promise.allSettled(
    asked.map((group) => ports[group]?.(caller, MOST_LINES, signal)),
  )
  const groups: { -readonly [K in keyof Material['groups']]: Material['groups'][K] } = {}
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
