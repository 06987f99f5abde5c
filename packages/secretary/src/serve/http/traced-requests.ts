import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Tracing } from '@secretary-mcp/core/tracing.ts'

/** By route, never by address: an address names files and ids. */
export function tracedRequests(tracing: Tracing): MiddlewareHandler {
  return (context, next) => {
    const route = matchedRoutes(context).findLast(({ path }) => !path.includes('*'))?.path
    const { method } = context.req
    const work = {
      name: route ? `${method} ${route}` : method,
      measure: 'http.server.request.duration',
      attributes: { 'http.request.method': method, 'http.route': route },
      parent: context.req.header('traceparent'),
    } as const
    return tracing.during(work, async (span) => {
      await next()
      const { status } = context.res
      span.set({
        'http.response.status_code': status,
        'error.type': status >= 500 ? String(status) : undefined,
      })
    })
  }
}
