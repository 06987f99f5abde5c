import { isDeepStrictEqual } from 'node:util'
import type { App } from '@secretary-mcp/secretary/app/app.ts'
import { apiRoutes } from '@secretary-mcp/secretary/serve/api/routes.ts'
import type { Page } from 'playwright-core'
import * as z from 'zod'

// The handlers are never run here, so the app behind them is never asked.
const routes = apiRoutes({} as App)
const refusal = z.object({
  error: z.string(),
  message: z.string(),
  details: z.unknown().optional(),
})

/** What an answer has that its route does not declare, or lacks; undefined where it is as declared. */
export function undeclared(
  method: string,
  path: string,
  status: number,
  body: unknown,
): string | undefined {
  const route = routes.find(
    (one) => one.method === method.toLowerCase() && patternOf(one.path).test(path),
  )
  if (!route) return undefined
  const answers: Readonly<Record<number, z.ZodType | undefined>> = route.answers
  const schema = answers[status] ?? (status >= 400 ? refusal : undefined)
  if (!schema) return body === undefined ? undefined : `${method} ${path} answered ${status}`
  const parsed = schema.safeParse(body)
  if (!parsed.success) return `${method} ${path} answered ${status}: ${parsed.error.message}`
  // A field that is in no schema is dropped by the reading.
  return isDeepStrictEqual(parsed.data, body)
    ? undefined
    : `${method} ${path} answered more than it declares: ${JSON.stringify(body).slice(0, 300)}`
}

/** Holds every answer that the page gets against the declaration of its route. */
export function watchAnswers(page: Page, problems: string[]): void {
  page.on('response', async (response) => {
    if (!response.headers()['content-type']?.startsWith('application/json')) return
    const body: unknown = await response.json().catch(() => undefined)
    if (body === undefined) return
    const { pathname } = new URL(response.url())
    const found = undeclared(response.request().method(), pathname, response.status(), body)
    if (found) problems.push(found)
  })
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
}
