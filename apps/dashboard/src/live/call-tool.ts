import type { ArgumentsOf, DeclaredTool, ValueOf } from '@secretary-mcp/core/tool.ts'
import { ApiError, call } from './api.ts'
import type { AnswerOf } from './api-types.ts'
import { session } from './session.ts'

export type ToolAnswer = AnswerOf<'post /api/v1/tools/{name}'>

export function callByName(
  name: string,
  args: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<ToolAnswer> {
  return call('post /api/v1/tools/{name}', { params: { name }, body: args, signal })
}

/** Names may carry a prefix of this installation, so the page asks for a tool by its family and plain name. */
export async function callTool<T extends DeclaredTool, Body = ValueOf<T>>(
  family: string,
  plainName: T['name'],
  args: ArgumentsOf<T>,
  signal?: AbortSignal,
): Promise<Body> {
  const found = session
    .get()
    ?.tools.find((tool) => tool.family === family && tool.plainName === plainName)
  if (!found) throw new ApiError(404, `The tool ${plainName} is not available in this installation`)
  const { isError, error_type, body } = await callByName(found.name, args, signal)
  if (isError)
    throw new ApiError(
      200,
      String(body.error ?? body.message ?? 'The tool failed'),
      body,
      error_type,
    )
  return body as Body
}
