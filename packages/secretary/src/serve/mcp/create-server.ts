import {
  type CallToolResult,
  type Tool as McpTool,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Listing } from '@secretary-mcp/core/catalogue.ts'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import { noProjectReason } from '@secretary-mcp/core/config/no-project.ts'
import type { Prompt } from '@secretary-mcp/core/prompts-and-resources.ts'
import type { Caller, Prefixes } from '@secretary-mcp/core/tool.ts'
import type { App } from '../../app/app.ts'
import { contextFamily } from '../../context/family.ts'
import { dialogsFamily } from '../../dialogs/family.ts'
import { guideFamily } from '../../guide/family.ts'
import { tasksFamily } from '../../tasks/family.ts'
import { offers, prefixesOf } from '../../toolsets.ts'
import { version } from '../../version.ts'

const ALWAYS_LOADED = /(?:^|_)(?:recall|search_requests|context_search)$/

const PAGE_SIZE = 100

const MAX_COMPLETIONS = 100

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
    parent: traceOf(ctx),
  })
  const content = [text, ...reminders.map((reminder) => `Reminder: ${reminder}`)].map((part) => ({
    type: 'text' as const,
    text: part,
  }))
  return { content, structuredContent: { ...shape.body }, isError: shape.isError }
}

/** A client that traces its own work sends where it stands along with the call. */
function traceOf({ mcpReq }: ServerContext): string | undefined {
  const { traceparent } = mcpReq._meta ?? {}
  return typeof traceparent === 'string' ? traceparent : undefined
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

function serveResources(
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
        values: values.slice(0, MAX_COMPLETIONS),
        total: values.length,
        hasMore: values.length > MAX_COMPLETIONS,
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

function servePrompts(
  server: Server,
  backing: Backing,
  caller: (ctx: ServerContext) => Caller,
): void {
  server.setRequestHandler('prompts/list', async ({ params }) => {
    const { items, nextCursor } = pageOf((await backing.app()).prompts, params?.cursor)
    const prompts = items.map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      arguments: args.map((arg) => ({ ...arg })),
    }))
    return { prompts, ...(nextCursor ? { nextCursor } : {}) }
  })

  server.setRequestHandler('prompts/get', async ({ params }, ctx) => {
    const prompt = requirePrompt(await backing.app(), params.name)
    const messages = await prompt.get(params.arguments ?? {}, caller(ctx), ctx.mcpReq.signal)
    return {
      description: prompt.title,
      messages: messages.map(({ role, text }) => ({ role, content: { type: 'text', text } })),
    }
  })
}

function requirePrompt(app: App, name: string): Prompt {
  const prompt = app.prompts.find((candidate) => candidate.name === name)
  if (!prompt)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown prompt: ${name.slice(0, 100)}`,
    )
  return prompt
}

/** One page of a list whose order never changes; the cursor is the place where it goes on. */
function pageOf<T>(
  all: readonly T[],
  cursor: string | undefined,
  size = PAGE_SIZE,
): { items: T[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : Number.parseInt(cursor, 10)
  if (!(start >= 0 && start <= all.length) || (cursor !== undefined && String(start) !== cursor)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor')
  }
  const end = start + size
  return { items: all.slice(start, end), ...(end < all.length ? { nextCursor: String(end) } : {}) }
}

/** What a server object answers from. The app behind it may come to life only when the first call needs it. */
export interface Backing {
  readonly config: Config
  tools(): Promise<readonly McpTool[]>
  app(): Promise<App>
}

export function backingOf(app: App): Backing {
  let listed: McpTool[] | undefined
  return {
    config: app.config,
    async tools() {
      // Schemas and texts never change while an app lives.
      listed ??= app.listings().map(mcpToolOf)
      return listed
    },
    app: async () => app,
  }
}

export type McpListing = Pick<
  Listing,
  'name' | 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'effect' | 'idempotent'
>

export function mcpToolOf({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  effect,
  idempotent,
}: McpListing): McpTool {
  return {
    name,
    title,
    description,
    inputSchema: inputSchema as McpTool['inputSchema'],
    outputSchema: outputSchema as McpTool['outputSchema'],
    // Clients that load tools on demand keep these loaded: an agent needs them before it knows what to look for.
    ...(ALWAYS_LOADED.test(name) ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'destroy',
      idempotentHint: idempotent,
      openWorldHint: false,
    },
  }
}

interface Advice {
  readonly family: string
  /** Of the tool that it is about; it is given if that tool is offered. */
  readonly name: string
  text(prefixes: Prefixes): string
}

/** Tools go by the names that this installation gives them: an agent would look for another one in vain. */
const ADVICE: readonly Advice[] = [
  {
    family: 'dialogs',
    name: 'recall',
    text: (prefixes) =>
      `After a compaction, or at the start if no notes of Secretary were given to you, call ${dialogsFamily.finalName('recall', prefixes)}: it returns what the person asked, word for word.`,
  },
  {
    family: 'guide',
    name: 'get_content',
    text: (prefixes) =>
      `Before you write code, call ${guideFamily.finalName('get_content', prefixes)} for the rules of this project.`,
  },
  {
    family: 'context',
    name: 'context_search',
    text: (prefixes) =>
      `Call ${contextFamily.finalName('context_search', prefixes)} instead of guessing where something is; ${contextFamily.finalName('record_discovery', prefixes)} keeps what you learned.`,
  },
  {
    family: 'tasks',
    name: 'add_task',
    text: (prefixes) =>
      `Keep what is left to do with ${tasksFamily.finalName('add_task', prefixes)}.`,
  },
]

const made = new WeakMap<Config, string>()

/** Short on purpose: a client may put it into every prompt. Made once: over HTTP every request has a server of its own. */
export function instructions(config: Config): string {
  const text = made.get(config) ?? textFor(config)
  made.set(config, text)
  return text
}

function textFor(config: Config): string {
  const { families, tools } = config
  const prefixes = prefixesOf(config)
  const noContext = noProjectReason(config) !== undefined
  const fitting = ADVICE.filter(
    ({ family }) => families.includes('all') || families.includes(family),
  )
    .filter(({ family }) => !(noContext && family === 'context'))
    .filter(offers(tools))
  return [
    'Secretary is your working memory in this project.',
    ...fitting.map(({ text }) => text(prefixes)),
  ].join(' ')
}
