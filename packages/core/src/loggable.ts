import { redactBeginning } from './redact.ts'

const LONGEST = 200
const SECRET = /key|token|secret|password|credential|auth/i

/** Arguments as the log may have them: short, and without anything that is named like a secret or like contents. */
export function loggable(args: unknown): unknown {
  if (args === null || typeof args !== 'object') return shortened(args)
  return Object.fromEntries(
    Object.entries(args)
      .slice(0, 20)
      .map(([name, value]) => [
        name.slice(0, 50),
        SECRET.test(name) || name === 'content' ? '[left out]' : shortened(value),
      ]),
  )
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > LONGEST
      ? `${redactBeginning(value, LONGEST)}… (${value.length} characters)`
      : redactBeginning(value, LONGEST)
  if (value === null || typeof value !== 'object') return value
  return Array.isArray(value) ? `[${value.length} items]` : '{…}'
}
