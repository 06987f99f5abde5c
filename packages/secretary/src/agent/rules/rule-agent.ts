import type { Agent } from '../agent.ts'
import type { Toolbox } from '../toolbox.ts'
import { answerWaiting } from './answer-waiting.ts'
import { parseIntents } from './parse-intent.ts'
import { RuleReply } from './rule-reply.ts'

/** Answers the task intents without a model, through the same tools. Where it introduces itself, it does so once in a conversation. */
export function createRuleAgent(toolbox: Toolbox, isIntroduced: boolean): Agent {
  return {
    name: 'rules',
    async answer(request) {
      const reply = new RuleReply(toolbox, request, isIntroduced)
      const { introduction } = reply
      const { text, ...done } = request.undo
        ? await reply.undo(request.undo)
        : ((await answerWaiting(reply, request)) ??
          (await reply.answer(parseIntents(request.message))))
      const isFirst = request.history.length === 0 && introduction !== ''
      const whole = isFirst && !text.includes(introduction) ? `${text}\n\n${introduction}` : text
      request.onEvent({ type: 'text', delta: whole })
      return { ...done, text: whole }
    },
  }
}
