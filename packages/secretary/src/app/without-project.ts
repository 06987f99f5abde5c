import type { DecoratedTool } from '@secretary-mcp/core/ext-mcp-tool-decorator.ts'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { ResourceProvider } from '@secretary-mcp/core/prompts-and-resources.ts'

/** Not offered; whoever calls it all the same learns why. */
export function refusedTool(tool: DecoratedTool, reason: string): DecoratedTool {
  return {
    ...tool,
    async run() {
      throw new Failure('no_project', reason)
    },
  }
}

export function refusedResources(scheme: string, reason: string): ResourceProvider {
  return {
    scheme,
    templates: [],
    list: async () => [],
    async read() {
      throw new Failure('no_project', reason)
    },
  }
}
