import type { Command } from 'commander'
import type { ContextSearchAnswer, FoundItem } from '../../context/context-search-types.ts'
import type { CommandContext, RegisterCommand } from '../command-context.ts'
import { progressReporter } from '../progress-reporter.ts'
import { runTool } from '../run-tool.ts'

const SHOWN_LINES = 6

export const registerSearch: RegisterCommand = (program, context) => {
  program
    .command('search <query...>')
    .description('search code, discoveries and dialogs by meaning')
    .option('--type <type>', 'all, pattern, rule, decision or issue')
    .option('--module <name>', 'only this module')
    .option('--limit <n>', 'at most so many results', Number)
    .option('--explain', 'show what each score is made of')
    .option('--json', 'as JSON')
    .action(
      async (
        query: string[],
        { type, module, limit, explain }: Record<string, unknown>,
        command: Command,
      ) => {
        await indexFirst(context, command)
        const args = { query: query.join(' '), type, module, limit, explain }
        const lines = (body: object) => linesOf(body as ContextSearchAnswer, context)
        await runTool(context, { command, tool: 'context_search', args, lines })
      },
    )
}

/** On the command line nobody comes back in a minute: where there is no index yet, it is made now. */
function indexFirst(context: CommandContext, command: Command): Promise<void> {
  return context.withApp(command, async (app) => {
    const engine = await app.context.engineOf(app.config.project)
    if ((await engine.status()).state === 'ready') return
    context.terminal.note('No index yet: making it first.')
    const reporter = progressReporter({
      print: context.terminal.note,
      interactive: context.terminal.interactive,
    })
    await engine.index({ onProgress: reporter.show })
    reporter.end()
  })
}

function linesOf(
  { results, message }: ContextSearchAnswer,
  { terminal }: CommandContext,
): string[] {
  const found = results.flatMap((item) => [
    `${terminal.style('bold', headOf(item))}  ${item.score.toFixed(2)}`,
    ...item.content
      .trim()
      .split('\n')
      .slice(0, SHOWN_LINES)
      .map((line) => `    ${line}`),
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
  return [...(found.length > 0 ? found : ['Nothing found.']), ...(message ? [message] : [])]
}

function headOf({ file, line, symbol, source, type, session }: FoundItem): string {
  if (file) return `${file}:${line}${symbol ? ` ${symbol}` : ''}`
  return source === 'session' ? `dialog ${session}` : type
}
