import type { AgentRequest, PendingCall, Toolbox, ToolUse } from './agent.ts'
import { changeOf } from './changes.ts'
import type { RequestedCall } from './chat-model.ts'
import { questionFor, taskOf } from './facts.ts'

interface RanCall {
  readonly call: RequestedCall
  /** What goes back to the model. */
  readonly content: string
  readonly use?: ToolUse
}

export interface RanCalls {
  readonly ran: readonly RanCall[]
  /** Where the person must be asked first: the question, and all that has not run yet. */
  readonly stopped?: {
    readonly question: string
    readonly pending: PendingCall
    readonly calls: readonly RequestedCall[]
  }
}

/** What a person has already said about the first of the calls. */
export type Answered = 'yes' | 'no' | undefined

const MAX_RESULT = 12_000
const SAID_NO = 'The person said no. Do not try again; ask what they want instead.'

type Outcome = RanCall | { readonly question: string; readonly pending: PendingCall }

/** Runs what the model asked for: reads that stand together run together, everything else in its order. */
export async function runCalls(
  calls: readonly RequestedCall[],
  toolbox: Toolbox,
  request: AgentRequest,
  answered?: Answered,
): Promise<RanCalls> {
  const ran: RanCall[] = []
  for (const group of groups(calls, toolbox)) {
    const said = ran.length === 0 ? answered : undefined
    const outcomes = await Promise.all(group.map((call) => runCall(call, toolbox, request, said)))
    for (const outcome of outcomes) {
      if ('question' in outcome)
        return { ran, stopped: { ...outcome, calls: calls.slice(ran.length) } }
      ran.push(outcome)
    }
  }
  return { ran }
}

/** For calls that will not run: the model is told why. */
export function notRun(calls: readonly RequestedCall[], why: string): RanCall[] {
  return calls.map((call) => ({ call, content: complaint(why) }))
}

async function runCall(
  call: RequestedCall,
  toolbox: Toolbox,
  request: AgentRequest,
  answered: Answered,
): Promise<Outcome> {
  const refuse = (why: string) => ({ call, content: complaint(why) })
  if (toolbox.effectOf(call.name) === undefined)
    return refuse(`There is no tool ${call.name.slice(0, 80)}. Use only the tools you were given.`)
  const args = parseArguments(call.argumentsText)
  if (args === undefined) return refuse('The arguments were not valid JSON. Send one JSON object.')
  if (answered === 'no') return refuse(SAID_NO)
  if (answered === 'yes' || !toolbox.asksFirst(call.name, request.caller))
    return runOne(call, args, toolbox, request)
  const pending = { name: call.name, args }
  const question = await questionFor(pending, toolbox, request)
  if (question === undefined) return refuse('Task not found. List the tasks to see their ids.')
  if (!request.approve) return { question, pending }
  if (!(await request.approve(pending, question))) return refuse(SAID_NO)
  return runOne(call, args, toolbox, request)
}

export async function runOne(
  call: RequestedCall,
  args: unknown,
  toolbox: Toolbox,
  { caller, signal, onEvent }: AgentRequest,
): Promise<RanCall & { use: ToolUse }> {
  onEvent({ type: 'tool', name: call.name, args })
  const tool = toolbox.ownName(call.name)
  const isChange = toolbox.effectOf(call.name) !== 'read'
  const before = isChange ? await taskOf(args, toolbox, caller) : undefined
  const { result, shape, text } = await toolbox.call(call.name, args, caller, signal)
  onEvent({ type: 'tool_result', name: call.name, isError: !result.success })
  const content =
    text.length > MAX_RESULT ? `${text.slice(0, MAX_RESULT)}… (cut; ask for less)` : text
  const change = isChange && result.success ? { change: changeOf(tool, args, before, result) } : {}
  return { call, content, use: { name: call.name, args, result, body: shape.body, ...change } }
}

function groups(calls: readonly RequestedCall[], toolbox: Toolbox): RequestedCall[][] {
  const grouped: RequestedCall[][] = []
  let reads: RequestedCall[] | undefined
  for (const call of calls) {
    if (toolbox.effectOf(call.name) === 'read') {
      if (!reads) {
        reads = []
        grouped.push(reads)
      }
      reads.push(call)
    } else {
      reads = undefined
      grouped.push([call])
    }
  }
  return grouped
}

export function parseArguments(text: string): unknown {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function complaint(text: string): string {
  return JSON.stringify({ success: false, error: text })
}

/** A call as a person would put it. */
export function describeCall({ name, args, result }: PendingCall & Partial<ToolUse>): string {
  const { task_id: id, title } = args as { task_id?: number; title?: string }
  const task = (result?.value as { task?: { title?: string } } | undefined)?.task?.title ?? title
  const subject = task ? `“${task}”` : id === undefined ? '' : `task ${id}`
  const verb = VERBS.get(name)
  return verb ? `${verb} ${subject}`.trim() : name.replaceAll('_', ' ')
}

const VERBS = new Map([
  ['add_task', 'add'],
  ['list_tasks', 'list the tasks'],
  ['complete_task', 'complete'],
  ['update_task', 'change'],
  ['plan_task', 'plan'],
  ['delete_task', 'delete'],
])
/** What the conversation's context says was done. */
export function actionTaken(uses: readonly ToolUse[]): string {
  const last = uses.findLast(({ result }) => result.success)
  return last?.name ?? 'none'
}

const TASK_CHANGES = new Set([
  'add_task',
  'complete_task',
  'update_task',
  'plan_task',
  'delete_task',
])

export function modifiedTasks(uses: readonly ToolUse[]): number[] {
  const changed = uses.filter(({ name, result }) => result.success && TASK_CHANGES.has(name))
  const ids = changed.map(({ result }) => {
    const value = result.value as { task?: { id?: number }; deleted_task_id?: number }
    return value.task?.id ?? value.deleted_task_id
  })
  return [...new Set(ids.filter((id): id is number => id !== undefined))]
}
