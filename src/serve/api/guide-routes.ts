import * as z from 'zod'
import type { App } from '../../app.ts'
import { Failure } from '../../core/failure.ts'
import type { Caller } from '../../core/tool.ts'
import { route } from './route.ts'

const state = z.object({
  project: z.string(),
  trusted: z.boolean().describe('Whether the documents in its .guide folder are used'),
  untrusted: z.array(z.string()).describe('Paths of those that are not'),
})

/** Whether the project's own rules are obeyed. No tool says so: an agent must not trust on a person's behalf. */
export function guideRoutes({ guide }: App) {
  const stateOf = async (caller: Caller) => {
    const { shelf } = await guide.open(caller)
    const { project } = caller
    return { project, trusted: guide.trusted.has(project), untrusted: [...shelf.untrusted] }
  }
  return [
    route({
      method: 'get',
      path: '/api/v1/guide/trust',
      tag: 'guide',
      summary: 'Whether the .guide folder of the project is trusted, and what is in it if not',
      answers: { 200: state },
      handle: async ({ caller }) => ({ status: 200, body: await stateOf(caller) }),
    }),
    route({
      method: 'put',
      path: '/api/v1/guide/trust',
      tag: 'guide',
      summary: 'Trust the .guide folder of the project or revoke that trust; operators only',
      body: z.object({ trusted: z.boolean().describe('Obey it') }),
      answers: { 200: state, 403: undefined },
      async handle({ caller, body }) {
        if (caller.role !== 'operator')
          throw new Failure('forbidden', 'Only an operator may trust the rules of a project')
        guide.trusted.set(caller.project, body.trusted)
        return { status: 200, body: await stateOf(caller) }
      },
    }),
  ]
}
