import { type Body, type Dialect, listOf, outputTokens, type Reply } from './answer.ts'

export const geminiContent: Dialect = {
  fits: (path) => /:(streamGenerateContent|generateContent|countTokens)$/.test(path),
  aside(path, { generationConfig }) {
    if (path.endsWith(':countTokens')) return { totalTokens: 1000 }
    const { responseJsonSchema, responseSchema } = (generationConfig ?? {}) as Body
    const schema = responseJsonSchema ?? responseSchema
    return schema === undefined
      ? undefined
      : candidate([{ text: JSON.stringify(anythingLike(schema as Body)) }], 10)
  },
  offered: ({ tools }) =>
    listOf(tools).flatMap(({ functionDeclarations }) =>
      listOf(functionDeclarations).map(({ name }) => ({ name: String(name) })),
    ),
  isStreamed: (path) => path.endsWith(':streamGenerateContent'),
  whole: (reply) => candidate(partsOf(reply), reply.inputTokens),
  events: (reply) => [{ data: candidate(partsOf(reply), reply.inputTokens) }],
}

function partsOf({ text, call }: Reply): object[] {
  return call
    ? [{ functionCall: { id: call.id, name: call.tool.name, args: call.input } }]
    : [{ text }]
}

function candidate(parts: object[], promptTokenCount: number): object {
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount,
      candidatesTokenCount: outputTokens,
      totalTokenCount: promptTokenCount + outputTokens,
    },
    modelVersion: 'scripted',
  }
}

/** The agent asks itself small questions that want an answer of a certain shape; which one does not matter here. */
function anythingLike({ type, properties, enum: allowed }: Body): unknown {
  if (Array.isArray(allowed)) return allowed[0]
  switch (String(type).toLowerCase()) {
    case 'object':
      return Object.fromEntries(
        Object.entries((properties ?? {}) as Record<string, Body>).map(([key, of]) => [
          key,
          anythingLike(of),
        ]),
      )
    case 'array':
      return []
    case 'number':
    case 'integer':
      return 1
    case 'boolean':
      return false
    default:
      return 'x'
  }
}
