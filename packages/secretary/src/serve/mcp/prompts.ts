import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { App } from '../../app/app.ts'
import type { Prompt } from '@secretary-mcp/core/prompt.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Backing } from './backing.ts'
import { pageOf } from './page.ts'

export function servePrompts(
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

export function requirePrompt(app: App, name: string): Prompt {
  const prompt = app.prompts.find((candidate) => candidate.name === name)
  if (!prompt)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown prompt: ${name.slice(0, 100)}`,
    )
  return prompt
}
