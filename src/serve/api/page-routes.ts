import * as z from 'zod'
import type { App } from '../../app.ts'
import { version } from '../../version.ts'
import { createLiveFeed, type Happening, heardBy, type LiveEvent } from './live-feed.ts'
import { route } from './route.ts'

const HEARTBEAT_MS = 20_000

/** What the page needs besides the tools: who looks at it, and what has changed since. */
export function pageRoutes(app: App) {
  const listen = createLiveFeed(app)
  return [
    route({
      method: 'get',
      path: '/api/v1/session',
      tag: 'page',
      summary: 'Who is asking, where, and which tools there are',
      answers: {
        200: z.object({
          user: z.string(),
          project: z.string(),
          version: z.string(),
          tools: z.array(
            z.object({
              name: z.string(),
              plainName: z.string(),
              family: z.string(),
              title: z.string(),
              effect: z.enum(['read', 'write', 'destroy']),
            }),
          ),
        }),
      },
      async handle({ user, caller }) {
        const tools = [...app.tools.values()].map(({ name, tool }) => ({
          name,
          plainName: tool.name,
          family: tool.family,
          title: tool.title,
          effect: tool.effect,
        }))
        return { status: 200, body: { user, project: caller.project, version, tools } }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/events',
      tag: 'page',
      summary:
        'Server-sent events: which tools were called, by any process that shares the database',
      answers: { 200: undefined },
      async handle({ caller, signal }) {
        const hears = (event: Happening) => heardBy(caller, app.localCaller.user, event)
        return new Response(eventStream(listen, hears, signal), {
          headers: {
            'content-type': 'text/event-stream',
            'cache-control': 'no-store',
            'x-accel-buffering': 'no',
          },
        })
      },
    }),
  ]
}

function eventStream(
  listen: ReturnType<typeof createLiveFeed>,
  hears: (event: Happening) => LiveEvent | undefined,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let end = () => {}
  return new ReadableStream({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text))
      const stop = listen((event) => {
        const heard = hears(event)
        if (heard) send(`event: ${event.kind}\ndata: ${JSON.stringify(heard)}\n\n`)
      })
      const heartbeat = setInterval(() => send(': still here\n\n'), HEARTBEAT_MS).unref()
      end = () => {
        clearInterval(heartbeat)
        stop()
        end = () => {}
      }
      signal.addEventListener('abort', () => end(), { once: true })
      send('retry: 2000\n\n')
    },
    cancel: () => end(),
  })
}
