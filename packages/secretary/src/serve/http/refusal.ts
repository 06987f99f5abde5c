import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** Every error of the HTTP side has this one form. */
export function refusal(
  context: Context,
  status: ContentfulStatusCode,
  error: string,
  message: string,
  details?: unknown,
): Response {
  return context.json({ error, message, ...(details === undefined ? {} : { details }) }, status)
}
