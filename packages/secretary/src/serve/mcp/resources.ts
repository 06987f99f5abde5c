import {
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { App } from '../../app/app.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Backing } from './backing.ts'
import { pageOf } from './page.ts'
import { requirePrompt } from './prompts.ts'

const MOST_COMPLETIONS = 100

export function serveResources(
  server: Server,
  backing: Backing,
  caller: (ctx: ServerContext) => Caller,
): void {
  server.setRequestHandler('resources/list', async ({ params }, ctx) => {
    const app = await backing.app()
    const all = await Promise.all(app.resources.map((provider) => provider.list(caller(ctx))))
    const { items, nextCursor } = pageOf(all.flat(), params?.cursor)
    return {
      resources: items.map((entry) => ({ ...entry })),
      ...(nextCursor ? { nextCursor } : {}),
    }
  })

  server.setRequestHandler('resources/templates/list', async ({ params }) => {
    const app = await backing.app()
    const { items, nextCursor } = pageOf(
      app.resources.flatMap(({ templates }) => templates),
      params?.cursor,
    )
    return {
      resourceTemplates: items.map((template) => ({ ...template })),
      ...(nextCursor ? { nextCursor } : {}),
    }
  })

  server.setRequestHandler('resources/read', async ({ params: { uri } }, ctx) => {
    const app = await backing.app()
    const provider = app.resources.find(({ scheme }) => uri.startsWith(`${scheme}:`))
    const found = await provider?.read(uri, caller(ctx), ctx.mcpReq.signal)
    if (!found) throw new ResourceNotFoundError(uri)
    return { contents: [{ uri, mimeType: found.mimeType, text: found.text }] }
  })

  // Every change is announced to every client that stays connected, so there is nothing to remember.
  server.setRequestHandler('resources/subscribe', async () => {
    // The app watches from its opening on.
    await backing.app()
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async () => ({}))

  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }, ctx) => {
    const values = (await suggestions(await backing.app(), ref, argument, caller(ctx))) ?? []
    return {
      completion: {
        values: values.slice(0, MOST_COMPLETIONS),
        total: values.length,
        hasMore: values.length > MOST_COMPLETIONS,
      },
    }
  })
}

type Reference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

function suggestions(
  app: App,
  ref: Reference,
  { name, value }: { name: string; value: string },
  caller: Caller,
) {
  if (ref.type === 'ref/prompt') return requirePrompt(app, ref.name).complete?.(name, value, caller)
  const provider = app.resources.find(({ templates }) =>
    templates.some(({ uriTemplate }) => uriTemplate === ref.uri),
  )
  return provider?.complete?.(ref.uri, name, value, caller)
}
