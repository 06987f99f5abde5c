import { Failure } from '@secretary-mcp/core/failure.ts'
import type { IndexProgress, IndexSummary } from '@secretary-mcp/search/indexer/index-run.ts'
import type { Command } from 'commander'
import type { App } from '../../app/app.ts'
import type { CommandContext, RegisterCommand } from '../command-context.ts'
import { progressReporter, type Reporter } from '../progress-reporter.ts'
import { readDialogs } from './search.ts'

const NOT_STORED =
  'The index could not be written to disk and is lost now; `secretary doctor` shows what is wrong.'

export const registerIndex: RegisterCommand = (program, context) => {
  program
    .command('index')
    .description(
      'update the search index of this project, code and dialogs; resumes after an interruption',
    )
    .option('--watch', 'keep running and index changes')
    .option('--json', 'the summary as JSON')
    .action((options: { watch?: boolean; json?: boolean }, command: Command) =>
      context.withApp(command, (app) => run(app, context, options)),
    )
}

async function run(
  app: App,
  { terminal }: CommandContext,
  options: { watch?: boolean; json?: boolean },
): Promise<void> {
  if (app.noProject) throw new Failure('no_project', app.noProject)
  const ending = new AbortController()
  const end = () => ending.abort()
  process.once('SIGINT', end).once('SIGTERM', end)
  const show = (summary: IndexSummary) => {
    terminal.print(options.json ? JSON.stringify(summary) : summaryLine(summary))
    for (const warning of summary.warnings.slice(0, 20)) terminal.note(warning)
  }
  try {
    const engine = await app.context.engineOf(app.config.project)
    show(
      await withProgress(options.json ? undefined : progressReporter(terminal), (onProgress) =>
        engine.index({ signal: ending.signal, onProgress }),
      ),
    )
    await readDialogs(app, ending.signal)
    const { problem, isInMemory } = await engine.status()
    if (isInMemory) terminal.note(NOT_STORED)
    if (isInMemory || problem !== undefined) process.exitCode = 1
    if (!options.watch) return
    terminal.note('Watching for changes. Press Ctrl-C to stop.')
    const watcher = await engine.watch({ onIndexed: show })
    if (!ending.signal.aborted)
      await new Promise<void>((resolve) => ending.signal.addEventListener('abort', () => resolve()))
    await watcher.close()
  } catch (error) {
    if (!ending.signal.aborted) throw error
    terminal.note('Interrupted. Run `secretary index` again to continue.')
    process.exitCode = 1
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end)
  }
}

async function withProgress<T>(
  reporter: Reporter | undefined,
  work: (show?: (progress: IndexProgress) => void) => Promise<T>,
): Promise<T> {
  try {
    return await work(reporter?.show)
  } finally {
    reporter?.end()
  }
}

function summaryLine({
  filesIndexed,
  filesUnchanged,
  filesRemoved,
  chunks,
  seconds,
}: IndexSummary): string {
  const rest = [
    `${filesUnchanged} unchanged`,
    ...(filesRemoved > 0 ? [`${filesRemoved} removed`] : []),
  ].join(', ')
  return `${filesIndexed} files indexed (${rest}), ${chunks} chunks in ${seconds.toFixed(1)} s`
}
