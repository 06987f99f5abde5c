import * as z from 'zod'
import { Failure } from './failure.ts'

export const health = z.object({
  state: z.enum(['ok', 'warning', 'failing']),
  detail: z.string(),
  fix: z.string().optional().describe('What the person can do about it'),
  places: z.array(z.string()).optional().describe('Where it was looked for'),
})
export type Health = z.output<typeof health>

/** Something that can be wrong with an installation; `secretary doctor` and the page run them all. */
export interface HealthCheck {
  readonly name: string
  /** It tells of the local user's files, so nobody else is shown it. */
  readonly isPrivate?: boolean
  /** Its detail names places on the machine, which are for operators. */
  readonly namesPlaces?: boolean
  run(): Promise<Health>
  /** Does what `fix` says, if that harms nothing and needs no question; what it did. */
  repair?(): Promise<string>
}

const WITHOUT_PLACES = {
  ok: 'works',
  warning: 'works, and needs the attention of an operator',
  failing: 'does not work; tell an operator',
} as const

/** What somebody may know who does not look after the installation. */
export function withoutPlaces(check: HealthCheck): HealthCheck {
  if (!check.namesPlaces) return check
  return {
    ...check,
    async run() {
      const { state } = await check.run()
      return { state, detail: WITHOUT_PLACES[state] }
    },
  }
}

/** Runs them all: one that cannot be carried out is a finding too, and costs none of the others. */
export function examine(
  checks: readonly HealthCheck[],
): Promise<(Health & { readonly name: string })[]> {
  return Promise.all(
    checks.map(async ({ name, run }) => {
      try {
        return { name, ...(await run()) }
      } catch (error) {
        const detail =
          error instanceof Failure ? error.message : 'could not be checked; see the log'
        return {
          name,
          state: 'failing' as const,
          detail,
          ...(error instanceof Failure && error.instruction ? { fix: error.instruction } : {}),
        }
      }
    }),
  )
}
