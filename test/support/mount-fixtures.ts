import type { Server, ServerContext } from '@modelcontextprotocol/server'
import { promptFixtures, resourceFixture, toolFixtures } from './conformance-fixtures.ts'

type Handler = (
  request: { method: string; params?: Record<string, unknown> },
  ctx: ServerContext,
) => Promise<Record<string, unknown>>

/** Adds the suite's fixtures beside the product's own lists; what is not a fixture goes to the product. */
export function mountFixtures(server: Server): void {
  // The SDK has no way to ask for a handler that was set.
  const handlers: Map<string, Handler> = Reflect.get(server, '_requestHandlers')
  const own = (method: string): Handler => {
    const handler = handlers.get(method)
    if (!handler) throw new Error(`the product does not serve ${method}`)
    return handler
  }
  const ours = {
    tools: own('tools/list'),
    call: own('tools/call'),
    prompts: own('prompts/list'),
    prompt: own('prompts/get'),
    read: own('resources/read'),
    complete: own('completion/complete'),
  }

  server.setRequestHandler('tools/list', async (request, ctx) => {
    const { tools, ...rest } = (await ours.tools(request as never, ctx)) as { tools: object[] }
    const fixtures = Object.keys(toolFixtures).map((name) => ({
      name,
      description: name,
      inputSchema: { type: 'object' as const },
    }))
    return { ...rest, tools: [...tools, ...fixtures] } as never
  })
  server.setRequestHandler(
    'tools/call',
    async (request, ctx) =>
      ((await toolFixtures[request.params.name]?.(ctx)) ??
        (await ours.call(request as never, ctx))) as never,
  )
  server.setRequestHandler('prompts/list', async (request, ctx) => {
    const { prompts, ...rest } = (await ours.prompts(request as never, ctx)) as {
      prompts: object[]
    }
    const fixtures = Object.entries(promptFixtures).map(([name, { args }]) => ({
      name,
      description: name,
      arguments: args.map((arg) => ({ name: arg, description: arg, required: true })),
    }))
    return { ...rest, prompts: [...prompts, ...fixtures] } as never
  })
  server.setRequestHandler(
    'prompts/get',
    async (request, ctx) =>
      (promptFixtures[request.params.name]?.get(request.params.arguments ?? {}, ctx) ??
        (await ours.prompt(request as never, ctx))) as never,
  )
  server.setRequestHandler(
    'resources/read',
    async (request, ctx) =>
      (resourceFixture(request.params.uri) ?? (await ours.read(request as never, ctx))) as never,
  )
  server.setRequestHandler('completion/complete', async (request, ctx) => {
    const { ref } = request.params
    if (ref.type === 'ref/prompt' && ref.name in promptFixtures)
      return { completion: { values: ['paris', 'park'], total: 2, hasMore: false } }
    return (await ours.complete(request as never, ctx)) as never
  })
}
