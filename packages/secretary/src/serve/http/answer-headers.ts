import type { MiddlewareHandler } from 'hono'

/** Answers are one person's data of this moment: nobody keeps a copy, and no browser takes them for anything but what they are. */
export const answerHeaders: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers } = context.res
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  headers.set('x-content-type-options', 'nosniff')
}
