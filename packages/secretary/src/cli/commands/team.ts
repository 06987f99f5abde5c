import type { Command } from 'commander'
import type { z } from 'zod'
import { EVERYBODY, SPACE_ROLES } from '../../space.ts'
import { spaceName, spaceRole, userName } from '../../spaces/spaces.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'
import { confirmLoss } from '../questions.ts'
import { table, titled } from '../table.ts'
import { registerStandingSharing } from './share-requests.ts'

const MAX_ENTRIES = 500
const ROLES = SPACE_ROLES.join(', ')

export const registerTeam: RegisterCommand = (program, context) => {
  const { terminal } = context
  const team = program.command('team').description('manage spaces: what a group shares')

  team
    .command('create <name>')
    .description('create a space; you become its operator')
    .option('--for-project', 'for the team of this project: nothing of other projects can be added')
    .action((name: string, { forProject }: { forProject?: boolean }, command: Command) =>
      context.withApp(command, async ({ spaces, localCaller }) => {
        const project = forProject ? localCaller.project : undefined
        const space = await spaces.create(localCaller, checked(spaceName, name), project)
        terminal.print(`Created ${space.name}. \`secretary team add\` invites people to it.`)
      }),
    )
  team
    .command('list')
    .description('list the spaces you belong to')
    .option('--json', 'as JSON')
    .action(({ json }: { json?: boolean }, command: Command) =>
      context.withApp(command, async ({ spaces, localCaller }) => {
        const listed = await spaces.list(localCaller)
        if (json) return terminal.print(JSON.stringify(listed))
        const rows = listed.map(({ name, role, project = '' }) => [name, role, project])
        show(context, ['SPACE', 'ROLE', 'PROJECT'], rows)
      }),
    )
  team
    .command('members <space>')
    .description('list who belongs to a space')
    .option('--json', 'as JSON')
    .action((space: string, { json }: { json?: boolean }, command: Command) =>
      context.withApp(command, async ({ spaces, localCaller }) => {
        const members = await spaces.members(localCaller, space)
        if (json) return terminal.print(JSON.stringify(members))
        if (space === EVERYBODY) return terminal.print('Everyone on this server')
        const rows = members.map(({ user, role, isInvited }) => [
          user,
          role,
          isInvited ? 'invited' : '',
        ])
        show(context, ['USER', 'ROLE', ''], rows)
      }),
    )
  registerChanges(team, context)
  registerInvitations(team, context)
  registerStandingSharing(team, context)
  team
    .command('rename <space> <name>')
    .description('rename a space')
    .action((space: string, name: string, _options, command: Command) =>
      context.withApp(command, async ({ spaces, localCaller }) => {
        const renamed = await spaces.rename(localCaller, space, checked(spaceName, name))
        terminal.print(`${space} is now called ${renamed.name}`)
      }),
    )
  team
    .command('delete <space>')
    .description('delete a space for good; its tasks go back to their owners')
    .option('--yes', 'do not ask for confirmation')
    .action((space: string, { yes }: { yes?: boolean }, command: Command) =>
      context.withApp(command, async ({ spaces, localCaller }) => {
        await spaces.require(localCaller, space, 'manage')
        await confirmLoss(`Deleting ${space}`, terminal, yes)
        const { name } = await spaces.remove(localCaller, space)
        terminal.print(`Deleted ${name}`)
      }),
    )
  team
    .command('audit <space>')
    .description('show who changed what in a space, the latest first')
    .option('--limit <n>', 'maximum number to show', Number, 50)
    .option('--json', 'as JSON')
    .action((space: string, options: { limit: number; json?: boolean }, command: Command) =>
      context.withApp(command, async ({ spaces, localCaller }) => {
        const { limit, json } = options
        if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_ENTRIES))
          throw new UsageError(`--limit takes a number from 1 to ${MAX_ENTRIES}`)
        const { entries, total } = await spaces.audit(localCaller, space, { limit, offset: 0 })
        if (json) return terminal.print(JSON.stringify({ entries, total }))
        const rows = entries.map(({ at, user, action, subject, text }) => {
          const what = subject.kind === 'space' ? text : `${subject.kind} ${subject.id} ${text}`
          return [at.slice(0, 19).replace('T', ' '), user, action, what.trim()]
        })
        show(context, ['TIME', 'USER', 'ACTION', 'WHAT'], rows)
        if (total > entries.length) terminal.print(`… and ${total - entries.length} more: --limit`)
      }),
    )
}

/** Each is one change of who belongs to a space. */
function registerChanges(team: Command, { terminal, withApp }: CommandContext): void {
  const change = (command: Command, space: string, user: string | undefined, role?: string) =>
    withApp(command, async ({ spaces, localCaller }) => {
      const of = checked(userName, user ?? localCaller.user)
      const given = role === undefined ? undefined : checked(spaceRole, role)
      const isInvited = await spaces.changeMember(localCaller, space, { user: of, role: given })
      if (isInvited)
        return terminal.print(
          `Invited ${of} to ${space} as ${given}. They join with \`secretary team accept ${space}\` or on the page.`,
        )
      terminal.print(given ? `${of} is ${given} of ${space}` : `${of} has left ${space}`)
    })
  team
    .command('add <space> <name>')
    .description('invite a user to a space; they belong to it once they accept')
    .option('--role <role>', ROLES, 'member')
    .action((space: string, user: string, { role }: { role: string }, command: Command) =>
      change(command, space, user, role),
    )
  team
    .command('role <space> <name> <role>')
    .description(`change a user’s role: ${ROLES}`)
    .action((space: string, user: string, role: string, _options, command: Command) =>
      change(command, space, user, role),
    )
  team
    .command('remove <space> <name>')
    .description('remove a user from a space')
    .action((space: string, user: string, _options, command: Command) =>
      change(command, space, user),
    )
  team
    .command('leave <space>')
    .description('leave a space')
    .action((space: string, _options, command: Command) => change(command, space, undefined))
}

/** Nobody is put into a space: whoever is invited decides. */
function registerInvitations(team: Command, context: CommandContext): void {
  const { terminal, withApp } = context
  team
    .command('invitations')
    .description('list the spaces that you are invited to')
    .option('--json', 'as JSON')
    .action(({ json }: { json?: boolean }, command: Command) =>
      withApp(command, async ({ spaces, localCaller }) => {
        const all = await spaces.invitations(localCaller)
        if (json) return terminal.print(JSON.stringify(all))
        if (all.length === 0) return terminal.print('No invitations.')
        const rows = all.map(({ space, role, invitedBy, invitedAt }) => [
          space.name,
          role,
          invitedBy,
          invitedAt.slice(0, 10),
        ])
        show(context, ['SPACE', 'ROLE', 'INVITED BY', 'DATE'], rows)
      }),
    )
  const answer = (name: string, description: string, accepts: boolean, done: string) =>
    team
      .command(`${name} <space>`)
      .description(description)
      .action((given: string, _options, command: Command) =>
        withApp(command, async ({ spaces, localCaller }) => {
          const space = await spaces.answerInvitation(localCaller, given, accepts)
          terminal.print(`${done} ${space.name}`)
        }),
      )
  answer('accept', 'join a space that you are invited to', true, 'You have joined')
  answer('decline', 'decline an invitation to a space', false, 'You have declined to join')
}

function show({ terminal }: CommandContext, head: string[], rows: string[][]): void {
  terminal.list(table(titled(terminal, head, rows), { columns: terminal.columns }))
}

function checked<T>(schema: z.ZodType<T>, given: string): T {
  const { success, data, error } = schema.safeParse(given)
  if (!success) throw new UsageError(error.issues[0]?.message ?? `${given} is not valid`)
  return data
}
