import { ApiError, json } from './api.ts'
import { session } from './session.ts'

export interface ToolAnswer {
  readonly isError: boolean
  /** Kind of a failure, such as not_found. */
  readonly error_type?: string
  readonly body: Readonly<Record<string, unknown>>
  readonly reminders: readonly string[]
}

export function callByName(name: string, args: object, signal?: AbortSignal): Promise<ToolAnswer> {
  return json<ToolAnswer>('POST', `/api/v1/tools/${encodeURIComponent(name)}`, {
    body: args,
    signal,
  })
}

/** Names may carry a prefix of this installation, so the page asks for a tool by its family and plain name. */
export async function callTool<T>(
  family: string,
  plainName: string,
  args: object = {},
  signal?: AbortSignal,
): Promise<T> {
  const found = session
    .get()
    ?.tools.find((tool) => tool.family === family && tool.plainName === plainName)
  if (!found) throw new ApiError(404, `The tool ${plainName} is not on in this installation`)
  const { isError, error_type, body } = await callByName(found.name, args, signal)
  if (isError)
    throw new ApiError(
      200,
      String(body.error ?? body.message ?? 'The tool failed'),
      body,
      error_type,
    )
  return body as T
}
