import { type Dialect, listOf, type OfferedTool, outputTokens, type Reply } from './answer.ts'

export const openAiResponses: Dialect = {
  fits: (path) => path.endsWith('/responses'),
  offered: ({ tools }) =>
    listOf(tools).flatMap(({ type, name, tools: grouped }): OfferedTool[] =>
      type === 'namespace'
        ? listOf(grouped).map((tool) => ({ name: String(tool.name), group: String(name) }))
        : [{ name: String(name ?? type), isFreeform: type === 'custom' }],
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
        ? []
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

const begun = ({ call }: Reply) => {
  if (!call) return { content: [] }
  return call.tool.isFreeform ? { input: '' } : { arguments: '' }
}

function calledItem({ id, tool, input }: NonNullable<Reply['call']>) {
  const about = { id: `fc_${id}`, call_id: id, name: tool.name, status: 'completed' }
  if (tool.isFreeform) return { ...about, type: 'custom_tool_call', ...input }
  return {
    ...about,
    type: 'function_call',
    ...(tool.group ? { namespace: tool.group } : {}),
    arguments: JSON.stringify(input),
  }
}

function response({ text, call, inputTokens }: Reply, model: unknown) {
  const item = call
    ? calledItem(call)
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
