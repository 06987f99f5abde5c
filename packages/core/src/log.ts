import { pino } from 'pino'
import { redact, redactBeginning } from './redact.ts'

type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'

interface LogLine {
  (message: string): void
  (fields: object, message: string): void
}

export interface Log {
  readonly trace: LogLine
  readonly debug: LogLine
  readonly info: LogLine
  readonly warn: LogLine
  readonly error: LogLine
}

/** Always standard error: standard output belongs to the protocol. */
export function createLog(level: LogLevel, write?: (line: string) => void): Log {
  const options = {
    level,
    base: undefined,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: redact },
  }
  if (write) return pino(options, { write })
  return pino(options, pino.destination({ fd: 2, sync: true }))
}

export const silentLog: Log = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

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
