import type { Tool as McpTool } from '@modelcontextprotocol/server'
import type { Listing } from '@secretary-mcp/core/catalogue.ts'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import type { App } from '../../app/app.ts'

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

const ALWAYS_LOADED = /(?:^|_)(?:recall|search_requests|context_search)$/

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
