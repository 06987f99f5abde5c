import type { ArgumentsOf, DeclaredTool, ValueOf } from '@secretary-mcp/core/tool.ts'
import { callTool } from '../../live/call-tool.ts'
import { type Query, useQuery } from '../../live/use-query.ts'

/** A guide tool's value and what it says beside it. */
interface Answer<T> {
  readonly value: T
  readonly message?: string
  readonly instruction?: string
}

export function useGuide<T extends DeclaredTool>(
  tool: T['name'],
  args: ArgumentsOf<T>,
): Query<Answer<ValueOf<T>>> {
  return useQuery(`guide ${tool} ${JSON.stringify(args)}`, 'guide', (signal) =>
    callTool<T, Answer<ValueOf<T>>>('guide', tool, args, signal),
  )
}
