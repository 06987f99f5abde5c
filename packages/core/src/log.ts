import { pino } from 'pino'
import { redact } from './redact.ts'

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
