import { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { App } from '../../app.ts'
import type { HttpVariables } from '../http/authentication.ts'
import { mountRoutes } from './mount-routes.ts'
import { route } from './route.ts'

it('ends a stream that was asked for with HEAD, because nobody will ever read it', async () => {
  let open = 0
  const stream = () =>
    new ReadableStream({
      start: () => void open++,
      cancel: () => void open--,
    })
  const http = new Hono<HttpVariables>()
  const app = { localCaller: {} } as App
  mountRoutes(http, app, [
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
