import { Lanes } from '@secretary-mcp/core/boundary.ts'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { App } from '../../app/app.ts'
import type { HttpVariables } from '../http/authentication.ts'
import { mountRoutes } from './mount-routes.ts'
import { route } from './route.ts'

const app = () => {
  const lanes = new Lanes()
  return { localCaller: {}, boundary: { takeTurn: lanes.run.bind(lanes) } } as App
}

it('ends a stream that was asked for with HEAD, because nobody will ever read it', async () => {
  let open = 0
  const stream = () =>
    new ReadableStream({
      start: () => void open++,
      cancel: () => void open--,
    })
  const http = new Hono<HttpVariables>()
  mountRoutes(http, app(), [
    route({
      method: 'get',
      path: '/stream',
      tag: 'test',
      summary: 'A stream',
      answers: { 200: undefined },
      handle: async () => new Response(stream()),
    }),
  ])
  expect((await http.request('/stream', { method: 'HEAD' })).status).toBe(200)
  expect(open).toBe(0)
  await http.request('/stream')
  expect(open).toBe(1)
})

it('runs only so many requests of one user at once, and those of another beside them', async () => {
  let running = 0
  let most = 0
  const ends: (() => void)[] = []
  const http = new Hono<HttpVariables>()
  http.use(async (context, next) => {
    context.set('user', context.req.header('user') ?? '')
    await next()
  })
  mountRoutes(http, app(), [
    route({
      method: 'get',
      path: '/slow',
      tag: 'test',
      summary: 'Waits until it is let go',
      answers: { 200: undefined },
      async handle() {
        most = Math.max(most, ++running)
        await new Promise<void>((resolve) => ends.push(resolve))
        running--
        return { status: 200 as const }
      },
    }),
  ])
  const ask = (user: string) => http.request('/slow', { headers: { user } })
  const all = Array.from({ length: 40 }, () => ask('ada'))
  await expect.poll(() => running).toBe(16)
  const other = ask('bob')
  await expect.poll(() => running).toBe(17)
  for (let ended = 0; ended < 41; ended++) {
    await expect.poll(() => ends.length).toBeGreaterThan(ended)
    ends[ended]?.()
  }
  expect((await Promise.all([...all, other])).map(({ status }) => status)).toEqual(
    Array.from({ length: 41 }, () => 200),
  )
  expect(most).toBe(17)
})
