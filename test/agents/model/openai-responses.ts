import { type Dialect, listOf, outputTokens, type Reply } from './answer.ts'

export const openAiResponses: Dialect = {
  fits: (path) => path.endsWith('/responses'),
  offered: ({ tools }) =>
    listOf(tools).flatMap(({ type, name, tools: grouped }) =>
      type === 'namespace'
        ? listOf(grouped).map((tool) => ({ name: String(tool.name), group: String(name) }))
        : [{ name: String(name ?? type) }],
    ),
  isStreamed: (_path, { stream }) => stream === true,
  whole: (reply, { model }) => response(reply, model),
  events(reply, { model }) {
    const whole = response(reply, model)
    const [item] = whole.output
    const place = { item_id: item?.id, output_index: 0 }
    const events = [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, ...begun(reply) } },
      ...(reply.call
        ? [
            {
              type: 'response.function_call_arguments.done',
              ...place,
              arguments: JSON.stringify(reply.call.input),
            },
          ]
        : [
            {
              type: 'response.output_text.delta',
              ...place,
              content_index: 0,
              delta: reply.text,
            },
          ]),
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: whole },
    ]
    return events.map((data, sequence_number) => ({
      name: data.type,
      data: { ...data, sequence_number },
    }))
  },
}

const begun = ({ call }: Reply) => (call ? { arguments: '' } : { content: [] })

function response({ text, call, inputTokens }: Reply, model: unknown) {
  const item = call
    ? {
        type: 'function_call',
        id: `fc_${call.id}`,
        call_id: call.id,
        name: call.tool.name,
        ...(call.tool.group ? { namespace: call.tool.group } : {}),
        arguments: JSON.stringify(call.input),
        status: 'completed',
      }
    : {
        type: 'message',
        id: 'msg_scripted',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      }
  return {
    id: 'resp_scripted',
    object: 'response',
    created_at: 1_700_000_000,
    status: 'completed',
    model,
    output: [item],
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
    },
  }
}
