import type { LoggedCall } from './call-log.ts'
import { loggable } from './loggable.ts'
import { redactBeginning } from './redact.ts'
import { estimateTokens } from './token-estimate.ts'
import { type Caller, PAGE_CLIENT } from './tool.ts'

const LONGEST_ANSWER = 600
/** Enough to estimate by: the rest of a long answer counts at the same rate. */
const SAMPLED = 20_000

/** A call that was answered, with all that its record is made of. */
export interface EndedCall {
  readonly at: Date
  readonly tool: string
  readonly args: unknown
  readonly caller: Caller
  readonly ms: number
  readonly text: string
  readonly error?: string
  /** Its answers can hold the contents of files, which no record keeps. */
  readonly holdsFiles: boolean
}

/** What is kept of a call. */
export function loggedCall(call: EndedCall): LoggedCall {
  const { at, tool, args, caller, ms, text, error, holdsFiles } = call
  const { user, client, project, session, dialog } = caller
  return {
    at: at.toISOString(),
    user,
    agent: client,
    project,
    session: dialog ?? session,
    tool,
    ms: Math.round(ms * 100) / 100,
    tokens: tokensOf(text),
    error,
    arguments: JSON.stringify(loggable(args) ?? {}),
    answer: holdsFiles && error === undefined ? undefined : redactBeginning(text, LONGEST_ANSWER),
    byPage: client === PAGE_CLIENT,
  }
}

function tokensOf(text: string): number {
  if (text.length <= SAMPLED) return estimateTokens(text)
  return Math.ceil((estimateTokens(text.slice(0, SAMPLED)) * text.length) / SAMPLED)
}
