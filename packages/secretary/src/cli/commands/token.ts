import { ROLES } from '@secretary-mcp/core/tool.ts'
import { type RegisterCommand, UsageError } from '../command-context.ts'
import { day, idStartingWith } from '../dialog-words.ts'
import { table, titled } from '../table.ts'

const MAX_DAYS = 3650

export const registerToken: RegisterCommand = (program, context) => {
  const token = program.command('token').description('manage bearer tokens for HTTP')

  token
    .command('create')
    .description('create a token for a user; it is shown once (--user NAME)')
    .option('--days <n>', 'days until it expires', '90')
    .option('--label <text>', 'what it is for', '')
    .option('--role <role>', 'member, or operator: changes what all users share', 'member')
    .option('--json', 'as JSON')
    .action((options: { days: string; label: string; role: string; json?: boolean }, command) =>
      context.withApp(command, async (app) => {
        const days = Number(options.days)
        if (!(days > 0 && days <= MAX_DAYS))
          throw new UsageError(`--days takes a number up to ${MAX_DAYS}`)
        const role = ROLES.find((known) => known === options.role)
        if (!role) throw new UsageError(`--role takes ${ROLES.join(' or ')}`)
        const { label } = options
        const made = await app.tokens.create(app.config.user, { days, label, role })
        if (options.json)
          return context.terminal.print(JSON.stringify({ token: made.token, ...made.record }))
        context.terminal.print(made.token)
        context.terminal.note(
          `For ${made.record.user} as ${role}, until ${made.record.expiresAt}. It is not shown again; \`secretary token revoke ${made.record.id}\` revokes it.`,
        )
      }),
    )

  token
    .command('list')
    .description('list all tokens, without their secrets')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }, command) =>
      context.withApp(command, async (app) => {
        const records = await app.tokens.list()
        if (options.json) return context.terminal.print(JSON.stringify(records))
        const state = (record: (typeof records)[number]) =>
          record.revokedAt
            ? 'revoked'
            : record.expiresAt <= new Date().toISOString()
              ? 'expired'
              : 'valid'
        const rows = records.map((record) => [
          record.id,
          record.user,
          record.role,
          state(record),
          day(Date.parse(record.expiresAt)),
          record.label,
        ])
        const head = ['ID', 'USER', 'ROLE', 'STATE', 'EXPIRES', 'LABEL']
        if (rows.length === 0)
          return context.terminal.print('No tokens yet. `secretary token create` makes one.')
        context.terminal.list(
          table(titled(context.terminal, head, rows), {
            columns: context.terminal.columns,
            spare: [2],
          }),
        )
      }),
    )

  token
    .command('revoke <id>')
    .description('revoke a token; the beginning of its id is enough')
    .action((given: string, _options, command) =>
      context.withApp(command, async (app) => {
        const valid = (await app.tokens.list()).filter(({ revokedAt }) => !revokedAt)
        const id = idStartingWith(
          valid.map((record) => record.id),
          given,
        )
        if (!(await app.tokens.revoke(id)))
          throw new UsageError(`There is no valid token ${id}; \`secretary token list\` shows them`)
        context.terminal.print(`Token ${id} is revoked`)
      }),
    )
}
