import type { DecoratedTool } from '../core/ext-mcp-tool-decorator.ts'
import { Failure } from '../core/failure.ts'
import type { ResourceProvider } from '../core/resource.ts'

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
