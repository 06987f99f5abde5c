import type { Agent } from '../agent.ts'
import type { Toolbox } from '../toolbox.ts'
import { answerWaiting } from './answer-waiting.ts'
import { parseIntents } from './parse-intent.ts'
import { RuleTurn } from './rule-turn.ts'

export const NO_MODEL =
  'No language model is configured, so I work by simple rules: I can add, list, complete, reopen, change and delete tasks. Set SECRETARY_MODEL (and SECRETARY_MODEL_URL for a local one) to talk freely.'

/** Answers the task intents without a model, through the same tools. `introduction` says why, once in a conversation. */
export function createRuleAgent(toolbox: Toolbox, introduction: string): Agent {
  return {
    name: 'rules',
    async answer(request) {
      const turn = new RuleTurn(toolbox, request, introduction)
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
