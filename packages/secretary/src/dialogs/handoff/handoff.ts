import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Dialogs } from '../dialogs.ts'
import { recallText } from '../recall/recall-text.ts'
import { RECEIVERS, startCommand } from './agent-commands.ts'

export const HANDOFF_BUDGET = 3000

export interface HandoffArguments {
  readonly sessionId?: string
  /** The agent that goes on. */
  readonly to?: string
  readonly budget: number
}

export interface Handoff {
  readonly prompt: string
  readonly sessionId?: string
  /** Starts the agent with the prompt. */
  readonly command?: string
}

const OPENING =
  'Continue the work of another agent. The notes below come from its dialog with the person. Files may have changed since: check them before you edit.'

/** The same material as a recall, as a prompt for the agent that goes on. */
export async function handoff(
  dialogs: Dialogs,
  caller: Caller,
  { sessionId, to, budget }: HandoffArguments,
  signal: AbortSignal,
): Promise<Handoff> {
  if (to !== undefined && !RECEIVERS.includes(to))
    throw new Failure('validation_error', `to must be one of ${RECEIVERS.join(', ')}`)
  const { value } = await dialogs.recall(caller, { sessionId, budget }, signal)
  if (!value) throw new Failure('not_found', 'No active dialog found')
  const command = to === undefined ? undefined : startCommand(to, value.sessionId)
  return {
    prompt: `${OPENING}\n\n${recallText(value)}`,
    ...(value.sessionId ? { sessionId: value.sessionId } : {}),
    ...(command ? { command } : {}),
  }
}
