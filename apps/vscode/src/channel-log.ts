import type { Log } from '@secretary-mcp/core/log.ts'
import type { LogOutputChannel } from 'vscode'

type Level = keyof Log

/** The house's log in VS Code's output panel. Errors of others may quote what was typed, so only their frames are kept. */
export function channelLog(channel: LogOutputChannel): Log {
  const at = (level: Level) => (first: object | string, message?: string) => {
    if (typeof first === 'string') channel[level](first)
    else channel[level](`${message} ${JSON.stringify(plain(first))}`)
  }
  return {
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  }
}

function plain(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? withoutMessage(value) : value,
    ]),
  )
}

function withoutMessage({ name, stack = '', ...rest }: Error): object {
  const code = 'code' in rest ? rest.code : undefined
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return { name, code, stack: frames.slice(0, 8).map((line) => line.trim()) }
}
