export interface ErrorMessage {
  readonly jsonrpc: '2.0'
  readonly id: string | number | null
  readonly error: { readonly code: number; readonly message: string }
}

const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600

export function errorMessage(
  id: string | number | null,
  message: string,
  code = INVALID_REQUEST,
): ErrorMessage {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

export const notJson = errorMessage(null, 'Parse error: the line is not JSON', PARSE_ERROR)

/** What is wrong with the shape of a message; undefined where the protocol can go on with it. */
export function shapeProblem(message: unknown): ErrorMessage | undefined {
  if (!isRecord(message))
    return errorMessage(null, 'Invalid request: each line must be one JSON object')
  const id = isId(message.id) ? message.id : null
  const invalid = (why: string) => errorMessage(id, `Invalid request: ${why}`)
  if (message.jsonrpc !== '2.0') return invalid('jsonrpc must be "2.0"')
  if ('id' in message && id === null) return invalid('id must be a string or a whole number')
  if (message.params !== undefined && !isRecord(message.params))
    return invalid('params must be an object')
  if (typeof message.method === 'string') return undefined
  if ('method' in message) return invalid('method must be a string')
  if ('id' in message && (isRecord(message.result) || isRecord(message.error))) return undefined
  return invalid('it has no method')
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
