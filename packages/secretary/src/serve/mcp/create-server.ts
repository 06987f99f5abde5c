import { type CallToolResult, Server, type ServerContext } from '@modelcontextprotocol/server'
import type { App } from '../../app/app.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { version } from '../../version.ts'
import type { Backing } from './backing.ts'
import { instructions } from './instructions.ts'
import { pageOf } from './page.ts'
import { servePrompts } from './prompts.ts'
import { serveResources } from './resources.ts'

/** Everything that the two transports have in common: one server object for one connection or request. */
export function createMcpServer(
  backing: Backing,
  callerOf: (ctx: ServerContext, server: Server) => Caller,
): Server {
  const server = new Server(
    { name: 'secretary', title: 'Secretary', version },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
      },
      instructions: instructions(backing.config),
      cacheHints: { 'tools/list': { ttlMs: 300_000, cacheScope: 'public' } },
    },
  )
  const caller = (ctx: ServerContext) => fromThread(callerOf(ctx, server), ctx)

  server.setRequestHandler('tools/list', async ({ params }) => {
    const { items, nextCursor } = pageOf(await backing.tools(), params?.cursor)
    return { tools: items, ...(nextCursor ? { nextCursor } : {}) }
  })
  server.setRequestHandler('tools/call', async ({ params }, ctx) =>
    callTool(await backing.app(), params.name, params.arguments, caller(ctx), ctx),
  )
  servePrompts(server, backing, caller)
  serveResources(server, backing, caller)
  return server
}

/** Codex names its thread in every call, VS Code its chat, Droid its session. */
function fromThread(caller: Caller, { mcpReq }: ServerContext): Caller {
  const { _meta: meta = {} } = mcpReq
  const thread = meta.threadId ?? meta['vscode.conversationId'] ?? meta.assemblySessionId
  return typeof thread === 'string' && thread !== '' ? { ...caller, dialog: thread } : caller
}

async function callTool(
  app: App,
  name: string,
  args: unknown,
  caller: Caller,
  ctx: ServerContext,
): Promise<CallToolResult> {
  const { shape, text, reminders } = await app.boundary.call(name, args, caller, {
    signal: ctx.mcpReq.signal,
    progress: progressOf(ctx),
  })
  const content = [text, ...reminders.map((reminder) => `Reminder: ${reminder}`)].map((part) => ({
    type: 'text' as const,
    text: part,
  }))
  return { content, structuredContent: { ...shape.body }, isError: shape.isError }
}

function progressOf(ctx: ServerContext) {
  const progressToken = ctx.mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  return (progress: number, total?: number, message?: string) => {
    ctx.mcpReq
      .notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total, message },
      })
      .catch(() => {})
  }
}
