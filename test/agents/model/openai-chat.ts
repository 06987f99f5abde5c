import { type Body, type Dialect, listOf, outputTokens, type Reply } from './answer.ts'

/** Chat completions, as most agents speak to a server of one's own. */
export const openAiChat: Dialect = {
  fits: (path) => path.endsWith('/chat/completions'),
  offered: ({ tools }) =>
    listOf(tools).map(({ type, function: plain, custom }) => {
      const { name } = (plain ?? custom ?? {}) as Body
      return { name: String(name), isFreeform: type === 'custom' }
    }),
  isStreamed: (_path, { stream }) => stream === true,
  whole: (reply, { model }) => ({
    ...about('chat.completion', model),
    choices: [
      { index: 0, message: { role: 'assistant', ...said(reply) }, finish_reason: reason(reply) },
    ],
    usage: usage(reply),
  }),
  events(reply, { model }) {
    const chunk = (delta: object, finish_reason: string | null) => ({
      ...about('chat.completion.chunk', model),
      choices: [{ index: 0, delta, finish_reason }],
    })
    return [
      { data: chunk({ role: 'assistant', ...said(reply) }, null) },
      { data: { ...chunk({}, reason(reply)), usage: usage(reply) } },
      { data: '[DONE]' },
    ]
  },
}

const about = (object: string, model: unknown) => ({
  id: 'chatcmpl-scripted',
  object,
  created: 1_700_000_000,
  model,
})

function said({ text, call }: Reply): object {
  if (!call) return { content: text }
  const { id, tool, input } = call
  const made = tool.isFreeform
    ? { type: 'custom', custom: { name: tool.name, ...input } }
    : { type: 'function', function: { name: tool.name, arguments: JSON.stringify(input) } }
  return { content: text || null, tool_calls: [{ index: 0, id, ...made }] }
}

const reason = ({ call }: Reply) => (call ? 'tool_calls' : 'stop')

const usage = ({ inputTokens }: Reply) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
})
