import { excerptOf } from '@secretary-mcp/core/excerpt.ts'
import type { App } from '../../app/app.ts'
import type { ContextSearchAnswer, FoundItem } from '../../context/context-search.ts'
import { contextSearchTool } from '../../context/tools/context-search.ts'
import type { CommandContext, RegisterCommand } from '../command-context.ts'
import { shownSessionIds } from '../dialog-words.ts'
import { markWords } from '../mark-words.ts'
import { progressReporter, readingReporter } from '../progress-reporter.ts'
import type { Terminal } from '../terminal.ts'
import { toolCommand } from '../tool-command.ts'

const SHOWN_LINES = 6

export const registerSearch: RegisterCommand = (program, context) => {
  toolCommand<ContextSearchAnswer>(program, context, {
    name: 'search',
    tool: contextSearchTool,
    positional: ['query...'],
    prepare: (app) => indexFirst(app, context),
    isFound: ({ results }) => results.length > 0,
    lines: async (answer, app) => {
      const { terminal } = context
      const hasDialogs = answer.results.some(({ source }) => source === 'session')
      const shownId = hasDialogs ? await shownSessionIds(app, terminal) : (id: string) => id
      return linesOf(answer, terminal, shownId)
    },
  })
}

/** On the command line nobody comes back in a minute: where there is no index yet, it is made now, and all dialogs are read. */
export async function indexFirst(app: App, { terminal }: CommandContext): Promise<void> {
  if (app.noProject) return
  const engine = await app.context.engineOf(app.config.project)
  if ((await engine.status()).state !== 'ready') {
    terminal.note('No index yet; building it first.')
    const reporter = progressReporter({ print: terminal.note, interactive: terminal.interactive })
    await engine.index({ onProgress: reporter.show })
    reporter.end()
  }
  await readDialogs(app)
}

/** Dialogs that changed since the last time become searchable; an interrupted reading goes on where it was. */
export async function readDialogs(
  app: App,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const reporter = readingReporter()
  try {
    await app.context.readDialogs(app.localCaller, { signal, onRead: reporter.onRead })
  } finally {
    reporter.end()
  }
}

function linesOf(
  { query, results, message }: ContextSearchAnswer,
  terminal: Terminal,
  shownId: (id: string) => string,
): string[] {
  const found = results.flatMap((item) => [
    `${terminal.style('cyan', headOf(item, shownId))}  ${terminal.style('dim', item.score.toFixed(2))}`,
    ...excerptOf(item.content.trim(), query, SHOWN_LINES).lines.map(({ text, marked }) =>
      marked ? `  > ${markWords(terminal, text, query)}` : `    ${text}`.trimEnd(),
    ),
    ...(item.needs_recheck
      ? [`    needs recheck: ${item.changedFiles?.join(', ')} changed since`]
      : []),
    ...(item.factors
      ? [
          `    ${Object.entries(item.factors)
            .map(([name, value]) => `${name} ${value.toFixed(2)}`)
            .join(', ')}`,
        ]
      : []),
  ])
  return [
    ...(found.length > 0 ? terminal.fitted(found) : ['Nothing found.']),
    ...(message ? [message] : []),
  ]
}

function headOf(
  { file, line, symbol, source, type, session, space }: FoundItem,
  shownId: (id: string) => string,
): string {
  if (file) return `${file}:${line}${symbol ? ` ${symbol}` : ''}`
  if (source === 'session' && session) return `dialog ${shownId(session)}`
  return space ? `${type} [${space}]` : type
}
