import type { AgentRequest, PendingCall, ToolUse } from './agent.ts'
import type { RequestedCall } from './chat-model.ts'
import type { Toolbox } from './toolbox.ts'

export interface RanCall {
  readonly call: RequestedCall
  /** What goes back to the model. */
  readonly content: string
  readonly use?: ToolUse
}

export interface RanCalls {
  readonly ran: readonly RanCall[]
  readonly pending?: PendingCall
}

const LONGEST_RESULT = 12_000

/** Runs what the model asked for: reads that stand together run together, writes in their order. */
export async function runCalls(
  calls: readonly RequestedCall[],
  toolbox: Toolbox,
  request: AgentRequest,
): Promise<RanCalls> {
  const ran: RanCall[] = []
  for (const group of groups(calls, toolbox)) {
    const results = await Promise.all(group.map((call) => runCall(call, toolbox, request)))
    for (const result of results) {
      if ('pending' in result) return { ran, pending: result.pending }
      ran.push(result)
    }
  }
  return { ran }
}

async function runCall(
  call: RequestedCall,
  toolbox: Toolbox,
  request: AgentRequest,
): Promise<RanCall | { pending: PendingCall }> {
  const effect = toolbox.effectOf(call.name)
  if (effect === undefined)
    return {
      call,
      content: complaint(
        `There is no tool ${call.name.slice(0, 80)}. Use only the tools you were given.`,
      ),
    }
  const args = parse(call.argumentsText)
  if (args === undefined)
    return { call, content: complaint('The arguments were not valid JSON. Send one JSON object.') }
  if (effect === 'destroy') {
    const wanted = { name: call.name, args }
    if (!request.approve) return { pending: wanted }
    if (!(await request.approve(wanted)))
      return {
        call,
        content: complaint('The person said no. Do not try again; ask what they want instead.'),
      }
  }
  return runOne(call, args, toolbox, request)
}

export async function runOne(
  call: RequestedCall,
  args: unknown,
  toolbox: Toolbox,
  { caller, signal, onEvent }: AgentRequest,
): Promise<RanCall & { use: ToolUse }> {
  onEvent({ type: 'tool', name: call.name, args })
  const { result, shape, text } = await toolbox.call(call.name, args, caller, signal)
  onEvent({ type: 'tool_result', name: call.name, isError: !result.success })
  const content =
    text.length > LONGEST_RESULT ? `${text.slice(0, LONGEST_RESULT)}… (cut; ask for less)` : text
  return { call, content, use: { name: call.name, args, result, body: shape.body } }
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

function parse(text: string): unknown {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
    return value !== null && typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}

function complaint(text: string): string {
  return JSON.stringify({ success: false, error: text })
}
