import { resolve } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { type Repository, repositoryOf } from '@secretary-mcp/core/files/repository.ts'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import type { App } from '../../app/app.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'
import { openQuestions } from '../questions.ts'

interface Options {
  readonly all?: boolean
  readonly yes?: boolean
  readonly undo?: boolean
}

const never = new AbortController().signal

export const registerSameProject: RegisterCommand = (program, context) => {
  program
    .command('same-project [folder]')
    .description(
      'confirm that another clone is this project, so that each shows the dialogs of both',
    )
    .option('--all', 'every clone with the same origin that agents worked in')
    .option('--yes', 'confirm without asking')
    .option('--undo', 'no longer share dialogs with this folder')
    .addHelpText(
      'after',
      '\nAny folder can name any origin, so dialogs of one clone are shown in another only after this. Worktrees of one\nrepository need no confirmation. Without a folder it lists the clones that wait for one.\n\nExample:\n  secretary same-project ~/work/shop',
    )
    .action((folder: string | undefined, options: Options, command) =>
      context.withApp(command, (app) => run(app, context, folder, options)),
    )
}

async function run(
  app: App,
  { terminal }: CommandContext,
  folder: string | undefined,
  { all, yes, undo }: Options,
): Promise<void> {
  const { dialogs, localCaller } = app
  const own = repositoryOf(localCaller.project)
  const { sameProjects } = dialogs.deeds
  if (!own || !sameProjects)
    throw new Failure('not_found', `${localCaller.project} is not in a git repository`)
  await dialogs.ready(localCaller, never)
  const clones = await dialogs.deeds.otherClones(localCaller.project)
  if (folder === undefined && !all) {
    if (clones.length === 0) terminal.print('No other clone waits for a confirmation.')
    for (const clone of clones) terminal.print(quoteLine(clone.folder))
    return
  }
  if (folder !== undefined && all) throw new UsageError('Give a folder or --all, not both')
  const named = (name: string): Repository => {
    const known = clones.find((clone) => clone.folder === name || clone.projects.includes(name))
    const found = known?.repository ?? repositoryOf(resolve(name))
    if (!found) throw new Failure('not_found', `${name} is not in a git repository`)
    return found
  }
  const chosen = folder === undefined ? clones.map(({ repository }) => repository) : [named(folder)]
  for (const other of chosen) {
    const name = quoteLine(other.root)
    if (undo) {
      sameProjects.separate(other)
      terminal.print(`Dialogs of ${name} are no longer shared with other clones`)
      continue
    }
    if (other.origin !== own.origin)
      throw new Failure('validation_error', `${name} has another origin than ${own.root}`)
    terminal.print(`${own.root} and ${name} (origin ${quoteLine(own.origin ?? 'none')})`)
    if (!yes && !(await isAgreed(terminal.interactive))) {
      process.exitCode = 1
      terminal.note('Nothing was confirmed. `--yes` confirms it without asking.')
      continue
    }
    sameProjects.confirm(own, other)
    terminal.print('Confirmed: each shows the dialogs of both. `--undo` takes it back.')
  }
}

async function isAgreed(isInteractive: boolean): Promise<boolean> {
  if (!isInteractive) return false
  const questions = openQuestions()
  const agreed = await questions.isAgreed('Are they the same project of yours? [y/N] ')
  questions.close()
  return agreed
}
