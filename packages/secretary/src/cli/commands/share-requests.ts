import type { Command } from 'commander'
import { type CommandContext, UsageError } from '../command-context.ts'
import { requireDialog, resolveSession } from '../dialog-words.ts'
import { table, titled } from '../table.ts'

const never = new AbortController().signal

/** What no tool does: sharing is the person's to do. */
export function registerDialogSharing(
  dialogs: Command,
  { terminal, withApp }: CommandContext,
): void {
  dialogs
    .command('share <session> <space>')
    .description(
      'share a dialog of your own, its requests and what was done for them, with a space',
    )
    .action((session: string, space: string, _options, command: Command) =>
      withApp(command, async (app) => {
        const { sessionId } = await requireDialog(app, session)
        const shared = await app.requestSharing.share(app.localCaller, sessionId, space, never)
        terminal.print(`Shared ${countOf(shared.requests)} with ${shared.space}`)
      }),
    )
  dialogs
    .command('unshare <session> [space]')
    .description('stop sharing a dialog, with one space or with all')
    .option('--by <user>', 'remove what this person shares; for operators of the space')
    .action(
      (session: string, space: string | undefined, { by }: { by?: string }, command: Command) =>
        withApp(command, async (app) => {
          if (by !== undefined) {
            if (space === undefined) throw new UsageError('--by needs the space')
            await app.requestSharing.remove(app.localCaller, { sessionId: session, space, by })
            return terminal.print(`The dialog of ${by} is no longer shared with ${space}`)
          }
          // One that is on another machine goes by its whole id.
          const { sessionId } = await resolveSession(app, { sessionId: session })
          await app.requestSharing.takeBack(app.localCaller, String(sessionId), space)
          terminal.print(`The dialog is no longer shared${space ? ` with ${space}` : ''}`)
        }),
    )
  dialogs
    .command('shared')
    .description('list the dialogs that you share, and the projects whose later dialogs you share')
    .option('--json', 'as JSON')
    .action(({ json }: { json?: boolean }, command: Command) =>
      withApp(command, async ({ requestSharing, localCaller }) => {
        const shared = await requestSharing.sharedBy(localCaller)
        if (json) return terminal.print(JSON.stringify(shared))
        for (const { space, here, since } of shared.standing)
          terminal.print(
            `${here ? 'This project' : 'Another project'}: dialogs since ${since.slice(0, 10)} are shared with ${space}`,
          )
        const rows = shared.dialogs.map(({ lastAskedAt, space, requests, sessionId }) => [
          lastAskedAt.slice(0, 16).replace('T', ' '),
          space,
          String(requests),
          sessionId,
        ])
        if (rows.length === 0) return terminal.print('You share no dialogs.')
        const head = ['LAST', 'SPACE', 'ASKED', 'SESSION']
        terminal.list(table(titled(terminal, head, rows), { columns: terminal.columns }))
      }),
    )
}

/** The same for all that is still to come in a project. */
export function registerStandingSharing(
  team: Command,
  { terminal, withApp }: CommandContext,
): void {
  team
    .command('share-requests <space>')
    .description('share your later dialogs of this project with a space, as they are read')
    .option('--stop', 'share no more of them')
    .option('--remove', 'with --stop: take back what you shared of this project')
    .action(
      (space: string, { stop, remove }: { stop?: boolean; remove?: boolean }, command: Command) =>
        withApp(command, async ({ requestSharing, localCaller }) => {
          if (remove && !stop) throw new UsageError('--remove goes with --stop')
          if (!stop) {
            const { space: name } = await requestSharing.keepSharing(localCaller, space)
            return terminal.print(
              `Dialogs that begin in this project from now on are shared with ${name}, without secrets. \`secretary team share-requests ${name} --stop\` ends it.`,
            )
          }
          const options = { isRemoved: remove === true }
          const { removed } = await requestSharing.stopSharing(localCaller, space, options)
          const taken = remove
            ? `; ${removed === 1 ? '1 dialog' : `${removed} dialogs`} taken back`
            : ''
          terminal.print(`No more dialogs are shared with ${space}${taken}`)
        }),
    )
}

function countOf(requests: number): string {
  return requests === 1 ? '1 request' : `${requests} requests`
}
