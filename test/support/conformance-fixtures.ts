import { createHmac } from 'node:crypto'
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** What the conformance suite expects a server to have; the names and texts are the suite's. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA='

type ToolAnswer = CallToolResult | InputRequiredResult
type ToolFixture = (ctx: ServerContext) => ToolAnswer | Promise<ToolAnswer>

const text = (value: string) => ({ type: 'text' as const, text: value })
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }
const said = (value: string): CallToolResult => ({ content: [text(value)] })
const pause = () => new Promise((later) => setTimeout(later, 50))
const signed = (state: string) =>
  `${state}.${createHmac('sha256', 'conformance').update(state).digest('hex')}`

function checkState(ctx: ServerContext): string | undefined {
  const state = ctx.mcpReq.requestState<string>()
  if (state === undefined) return undefined
  const plain = state.slice(0, state.lastIndexOf('.'))
  if (signed(plain) !== state)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The request state was changed')
  return plain
}

const form = (message: string, property: string, type: 'string' | 'boolean' = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [property]: type === 'string' ? { type } : { type } },
      required: [property],
    },
  })
const sample = (question: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: text(question) }],
    maxTokens: 100,
  })
const capabilities = (ctx: ServerContext): ClientCapabilities =>
  (ctx.mcpReq.envelope as Record<string, ClientCapabilities> | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ] ?? {}
const responses = (ctx: ServerContext) => ctx.mcpReq.inputResponses ?? {}

function asks(
  requests: Parameters<typeof inputRequired>[0]['inputRequests'],
  state?: string,
): ToolFixture {
  return (ctx) => {
    const plain = checkState(ctx)
    const missing = Object.keys(requests ?? {}).some((key) => !(key in responses(ctx)))
    if (missing)
      return inputRequired({
        inputRequests: requests,
        ...(state ? { requestState: signed(state) } : {}),
      })
    return said(`${plain === undefined ? 'done' : 'state-ok'}: ${JSON.stringify(responses(ctx))}`)
  }
}

export const toolFixtures: Readonly<Record<string, ToolFixture>> = {
  test_simple_text: () => said('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  test_error_handling: () => ({
    isError: true,
    content: [text('This tool intentionally returns an error for testing')],
  }),
  test_tool_with_progress: async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        })
      await pause()
    }
    return said('done')
  },
  test_logging_tool: async (ctx) => {
    await ctx.mcpReq.log('info', 'only for those who asked')
    return said('logged')
  },
  test_missing_capability: (ctx) => {
    const declared = capabilities(ctx)
    if (!declared.sampling)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    return said('sampling was declared')
  },
  test_streaming_elicitation: asks({ user_name: form('What is your name?', 'name') }),
  test_input_required_result_elicitation: asks({ user_name: form('What is your name?', 'name') }),
  test_input_required_result_sampling: asks({
    capital_question: sample('What is the capital of France?'),
  }),
  test_input_required_result_list_roots: asks({ client_roots: inputRequired.listRoots() }),
  test_input_required_result_request_state: asks(
    { confirm: form('Please confirm', 'ok', 'boolean') },
    'confirm',
  ),
  test_input_required_result_multiple_inputs: asks(
    {
      user_name: form('What is your name?', 'name'),
      greeting: sample('Generate a greeting'),
      client_roots: inputRequired.listRoots(),
    },
    'many',
  ),
  test_input_required_result_tampered_state: asks(
    { confirm: form('Please confirm', 'ok', 'boolean') },
    'tamper',
  ),
  test_input_required_result_multi_round: (ctx) => {
    const state = checkState(ctx)
    if (state === undefined)
      return inputRequired({
        inputRequests: { step1: form('Step 1: What is your name?', 'name') },
        requestState: signed('round-1'),
      })
    if (state === 'round-1')
      return inputRequired({
        inputRequests: { step2: form('Step 2: What is your favorite color?', 'color') },
        requestState: signed('round-2'),
      })
    return said('all rounds done')
  },
  test_input_required_result_capabilities: (ctx) => {
    const declared = capabilities(ctx)
    const inputRequests = {
      ...(declared.elicitation ? { name: form('Name?', 'name') } : {}),
      ...(declared.sampling ? { question: sample('Capital?') } : {}),
    }
    return Object.keys(inputRequests).length > 0 && Object.keys(responses(ctx)).length === 0
      ? inputRequired({ inputRequests })
      : said('done')
  },
}

type PromptFixture = (
  args: Readonly<Record<string, string>>,
  ctx: ServerContext,
) => GetPromptResult | InputRequiredResult
const user = (content: GetPromptResult['messages'][number]['content']) => ({
  role: 'user' as const,
  content,
})

export const promptFixtures: Readonly<
  Record<string, { readonly args: readonly string[]; readonly get: PromptFixture }>
> = {
  test_simple_prompt: {
    args: [],
    get: () => ({ messages: [user(text('This is a simple prompt for testing.'))] }),
  },
  test_prompt_with_arguments: {
    args: ['arg1', 'arg2'],
    get: ({ arg1, arg2 }) => ({
      messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  },
  test_prompt_with_embedded_resource: {
    args: ['resourceUri'],
    get: ({ resourceUri = '' }) => ({
      messages: [
        user({
          type: 'resource',
          resource: {
            uri: resourceUri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        }),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  },
  test_prompt_with_image: {
    args: [],
    get: () => ({ messages: [user(image), user(text('Please analyze the image above.'))] }),
  },
  test_input_required_result_prompt: {
    args: [],
    get: (_args, ctx) =>
      'user_context' in responses(ctx)
        ? { messages: [user(text('with context'))] }
        : inputRequired({
            inputRequests: { user_context: form('What context should the prompt use?', 'context') },
          }),
  },
}

export function resourceFixture(uri: string): ReadResourceResult | undefined {
  if (uri === 'test://static-text')
    return {
      contents: [
        { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
      ],
    }
  if (uri === 'test://static-binary')
    return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] }
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  return id
    ? {
        contents: [
          {
            uri,
            mimeType: 'application/json',
            text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
          },
        ],
      }
    : undefined
}
