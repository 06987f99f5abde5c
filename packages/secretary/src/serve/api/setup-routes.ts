import { createHash } from 'node:crypto'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { route } from './route.ts'

const agentState = z.object({
  id: z.string(),
  label: z.string(),
  isFound: z.boolean(),
  looked: z.array(z.string()).describe('Where it was looked for'),
  hasForeignEntry: z
    .boolean()
    .describe('Whether they have an entry for Secretary that Secretary did not write'),
  hasEntry: z
    .boolean()
    .describe('Whether its files start Secretary already, as init would write it'),
})

const shownEdit = z.object({
  label: z.string(),
  file: z.string(),
  state: z.enum(['there', 'by-hand', 'new', 'foreign']),
  change: z.string().optional().describe('Lines that come and go'),
  found: z.string().optional().describe('An entry for Secretary that Secretary did not write'),
  reason: z.string().optional().describe('Why it has to be added by hand'),
  addition: z.string().describe('What a person would add by hand'),
})

const writtenSetup = z.object({ files: z.array(z.string()), notes: z.array(z.string()) })

/** How agents on this machine are told of Secretary; the command line has it too. */
export interface Setup {
  /** For any client that starts the server itself. */
  snippet(): string
  agents(): z.input<typeof agentState>[]
  edits(agent: string): z.input<typeof shownEdit>[]
  write(agent: string): z.input<typeof writtenSetup>
}

/** What a first visit needs. The files are the local user's, so nobody else sees or changes them. */
export function setupRoutes(app: App, setup: Setup | undefined) {
  const allowed = ({ user, role }: Caller): Setup => {
    if (!setup || role !== 'operator' || user !== app.localCaller.user)
      throw new Failure('forbidden', 'Only the owner of this machine may set up its agents')
    return setup
  }
  return [
    route({
      method: 'get',
      path: '/api/v1/setup',
      tag: 'page',
      summary: 'Agents on this machine, and whether one has called yet',
      answers: {
        200: z.object({
          agents: z.array(agentState),
          snippet: z.string().describe('For a client that starts the server itself'),
          firstCall: z.string().optional().describe('A tool that an agent has called'),
        }),
        403: undefined,
      },
      async handle({ caller }) {
        const known = allowed(caller)
        const called = (await app.calls.stats()).find(({ calls }) => calls > 0)?.tool
        return {
          status: 200,
          body: {
            agents: known.agents(),
            snippet: known.snippet(),
            ...(called === undefined ? {} : { firstCall: called }),
          },
        }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/setup/{agent}',
      tag: 'page',
      summary: 'What `secretary init` would write for an agent',
      answers: {
        200: z.object({
          edits: z.array(shownEdit),
          version: z.string().describe('Another one for every other change'),
        }),
        403: undefined,
        404: undefined,
      },
      async handle({ caller, params }) {
        const edits = allowed(caller).edits(params.agent)
        return { status: 200, body: { edits, version: versionOf(edits) } }
      },
    }),
    route({
      method: 'post',
      path: '/api/v1/setup/{agent}',
      tag: 'page',
      summary: 'Write it; `secretary init --undo` takes it back',
      query: z.object({
        version: z.string().optional().describe('The one that the person saw; refused if changed'),
      }),
      answers: { 200: writtenSetup, 403: undefined, 404: undefined, 409: undefined },
      async handle({ caller, params, query: { version } }) {
        const known = allowed(caller)
        if (version !== undefined && version !== versionOf(known.edits(params.agent)))
          throw new Failure(
            'changed_meanwhile',
            'Nothing was written: the file has changed since you saw this. Look at the changes again.',
          )
        return { status: 200, body: known.write(params.agent) }
      },
    }),
  ]
}

function versionOf(edits: ReturnType<Setup['edits']>): string {
  return createHash('sha256').update(JSON.stringify(edits)).digest('base64url').slice(0, 22)
}
