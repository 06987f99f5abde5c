import { type Dialect, listOf, outputTokens, type Reply } from './answer.ts'

export const anthropicMessages: Dialect = {
  fits: (path) => /\/messages(\/count_tokens)?$/.test(path),
  aside: (path) => (path.endsWith('/count_tokens') ? { input_tokens: 1000 } : undefined),
  offered: ({ tools }) => listOf(tools).map(({ name }) => ({ name: String(name) })),
  isStreamed: (_path, { stream }) => stream === true,
  whole: (reply, { model }) => ({
    ...message(reply, model),
    content: blocks(reply),
    stop_reason: stopReason(reply),
    usage: { input_tokens: reply.inputTokens, output_tokens: outputTokens },
  }),
  events: (reply, { model }) =>
    [
      {
        type: 'message_start',
        message: {
          ...message(reply, model),
          content: [],
          stop_reason: null,
          usage: { input_tokens: reply.inputTokens, output_tokens: 1 },
        },
      },
      ...blocks(reply).flatMap((block, index) => [
        { type: 'content_block_start', index, content_block: emptied(block) },
        { type: 'content_block_delta', index, delta: deltaOf(block) },
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        delta: { stop_reason: stopReason(reply), stop_sequence: null },
        usage: { output_tokens: outputTokens },
      },
      { type: 'message_stop' },
    ].map((data) => ({ name: data.type, data })),
}

type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: object }

function message(_reply: Reply, model: unknown) {
  return { id: 'msg_scripted', type: 'message', role: 'assistant', model, stop_sequence: null }
}

function blocks({ text, call }: Reply): Block[] {
  const said: Block[] = text === '' ? [] : [{ type: 'text', text }]
  if (!call) return said
  return [...said, { type: 'tool_use', id: call.id, name: call.tool.name, input: call.input }]
}

const emptied = (block: Block) =>
  block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} }

const deltaOf = (block: Block) =>
  block.type === 'text'
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }

const stopReason = ({ call }: Reply) => (call ? 'tool_use' : 'end_turn')
