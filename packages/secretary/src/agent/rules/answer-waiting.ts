import type { AgentRequest, Reply, Waiting } from '../agent.ts'
import { verdictOf } from '../verdict.ts'
import type { Intent, TaskIntent } from './intent.ts'
import { parseIntents, referenceIn } from './parse-intent.ts'
import type { RuleReply } from './rule-reply.ts'

type Question = Extract<Waiting, { by: 'rules' }>

/** Takes the message as the answer to what was asked; undefined where nothing was, or it is no answer. */
export async function answerWaiting(
  reply: RuleReply,
  request: AgentRequest,
): Promise<Reply | undefined> {
  const { waiting, pending, message } = request
  if (!waiting) return undefined
  const rest = waiting.by === 'rules' ? waiting.rest : []
  const verdict = verdictOf(message, waiting.question)
  if (pending) {
    if (verdict === 'yes')
      return isAboutAll(message)
        ? reply.confirmedAll(pending, waiting.question, rest)
        : reply.confirmed(pending, waiting.question, rest)
    if (verdict) return reply.declined(verdict === 'stop' ? [] : rest, rest.length)
    const intents = parseIntents(message)
    if (intents.every(isUnclear)) return reply.askAgain(pending, waiting)
    return reply.interrupted(intents)
  }
  if (waiting.by !== 'rules') return undefined
  if (verdict === 'no' || verdict === 'stop')
    return reply.declined(verdict === 'stop' ? [] : rest, rest.length)
  const answered = filled(waiting, message)
  return answered && reply.answer([...answered, ...rest])
}

function isAboutAll(message: string): boolean {
  return /(?:^|[^\p{L}])(?:all|everything|все|всё|всех)(?:$|[^\p{L}])/iu.test(message)
}

function isUnclear({ kind }: Intent): boolean {
  return ['unknown', 'greeting', 'help'].includes(kind)
}

/** The intent that was asked about, with what the message adds to it. */
function filled({ wants, intent }: Question, message: string): readonly Intent[] | undefined {
  const said = parseIntents(message)
  const [first] = said
  const words = message.trim()
  if (wants === 'title')
    return first?.kind === 'add' && first.title ? said : [{ kind: 'add', title: words }]
  if (!isAboutTask(intent)) return undefined
  if (wants === 'text') {
    if (first?.kind === 'update' && (first.title ?? first.description)) return said
    return [{ ...intent, kind: 'update', title: words }]
  }
  if (said.length > 1 || (first && !isUnclear(first))) return said
  const task = referenceIn(words)
  return task && [{ ...intent, task }]
}

function isAboutTask(intent: Intent): intent is TaskIntent {
  return ['complete', 'reopen', 'delete', 'update'].includes(intent.kind)
}
