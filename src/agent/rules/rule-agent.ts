import type { Agent } from '../agent.ts'
import type { Toolbox } from '../toolbox.ts'
import { answerWaiting } from './answer-waiting.ts'
import { parseIntents } from './parse-intent.ts'
import { RuleTurn } from './rule-turn.ts'

/** Answers the task intents without a model, through the same tools. Where it introduces itself, it does so once in a conversation. */
export function createRuleAgent(toolbox: Toolbox, isIntroduced: boolean): Agent {
  return {
    name: 'rules',
    async answer(request) {
      const turn = new RuleTurn(toolbox, request, isIntroduced)
      const { introduction } = turn
      const { text, ...done } = request.undo
        ? await turn.undo(request.undo)
        : ((await answerWaiting(turn, request)) ??
          (await turn.answer(parseIntents(request.message))))
      const isFirst = request.history.length === 0 && introduction !== ''
      const whole = isFirst && !text.includes(introduction) ? `${text}\n\n${introduction}` : text
      request.onEvent({ type: 'text', delta: whole })
      return { ...done, text: whole }
    },
  }
}
