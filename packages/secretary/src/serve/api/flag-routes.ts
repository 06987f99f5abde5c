import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { flagValue } from '../../guide/flag-value.ts'
import { flagAnswer } from '../../guide/schemas.ts'
import { route } from './route.ts'

/** Flags as a person sets them, who sees what they replace; agents set them with a tool. */
export function flagRoutes({ guide }: App) {
  return [
    route({
      method: 'put',
      path: '/api/v1/guide/flags/{name}',
      tag: 'guide',
      summary: 'Set or remove a flag of this project, if it still is what the person saw',
      body: z.strictObject({
        value: flagValue.nullable().describe('null removes it'),
        before: flagValue
          .nullable()
          .describe('The value that the person saw, null for none; refused if changed'),
      }),
      answers: { 200: flagAnswer, 400: undefined, 409: undefined },
      handle: async ({ caller, params, body: { value, before } }) => ({
        status: 200,
        body: await guide.flags.changeProject(caller, params.name, { before, after: value }),
      }),
    }),
  ]
}
