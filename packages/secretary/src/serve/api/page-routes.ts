import type { Caller } from '@secretary-mcp/core/tool.ts'
import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { EVERYBODY } from '../../space.ts'
import { version } from '../../version.ts'
import { createLiveFeed, eventStream, heardBy, type LiveEvent } from './live-feed.ts'
import { route } from './route.ts'

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
          home: z.string().optional().describe('Your home folder, where the server is yours'),
          version: z.string(),
          isBrowserSession: z
            .literal(true)
            .optional()
            .describe('You are signed in by a cookie; deleting the session ends it'),
          editor: z.enum(['vscode', 'cursor', 'idea', 'none']).describe('Where files open'),
          hasModel: z.boolean().describe('The chat has a language model'),
          hasTeam: z.boolean().describe('Several people use this server'),
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
      async handle({ user, caller, headers }) {
        const tools = [...app.tools.values()].map(({ name, tool }) => ({
          name,
          plainName: tool.name,
          family: tool.family,
          title: tool.title,
          effect: tool.effect,
        }))
        const { editor, userHome } = app.config
        const home = user === app.localCaller.user ? userHome : undefined
        const { project } = caller
        const isBySession = app.config.auth === 'on' && !headers.has('authorization')
        const about = isBySession ? { isBrowserSession: true as const } : {}
        const hasModel = app.config.model !== undefined
        const hasTeam = await isShared(app, caller)
        return {
          status: 200,
          body: { user, project, home, version, ...about, editor, hasModel, hasTeam, tools },
        }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/events',
      tag: 'page',
      summary:
        'Server-sent events: what was written and which tools were called, by any process that shares the database',
      answers: { 200: undefined },
      async handle({ caller, signal }) {
        return eventStream(
          async (send, left) => {
            const stop = listen((event) => {
              const heard = heardBy(caller, app.localCaller.user, event)
              if (heard) send(heard.kind, heard)
            })
            // The headers go with the first words: until then the page does not know that it is heard.
            send('ready', { kind: 'ready' } satisfies LiveEvent)
            await until(left)
            stop()
          },
          app.log,
          signal,
        )
      },
    }),
  ]
}

/** On a server of one's own a team begins with the first space. */
async function isShared({ database, localCaller, spaces }: App, caller: Caller): Promise<boolean> {
  if (database.engine === 'postgres' || caller.user !== localCaller.user) return true
  return (await spaces.list(caller)).some(({ id }) => id !== EVERYBODY)
}

function until(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
