import { fieldNames } from '@secretary-mcp/core/config/config.ts'
import { type Field, fields } from '@secretary-mcp/core/config/fields.ts'
import type { RegisterCommand } from '../command-context.ts'
import { table, titled } from '../table.ts'

export const registerConfig: RegisterCommand = (program, context) => {
  program
    .command('config')
    .description('show every setting with its value and where it comes from')
    .option('--json', 'as JSON')
    .configureHelp({ ...program.configureHelp(), showGlobalOptions: true })
    .action((options: { json?: boolean }, command) => {
      const { config, origins } = context.settings(command)
      const rows = fieldNames.map((name) => {
        const field: Field = fields[name]
        const value = config[name]
        return {
          name,
          value: field.secret && value !== undefined ? '(secret)' : withoutPassword(value),
          source: origins[name],
          variable: field.env,
        }
      })
      if (options.json) return context.terminal.print(JSON.stringify(rows))
      const cells = rows.map(({ name, value, source, variable }) => [
        name,
        value === undefined ? '-' : String(value),
        source,
        variable,
      ])
      const { terminal } = context
      const head = ['SETTING', 'VALUE', 'FROM', 'VARIABLE']
      terminal.list(table(titled(terminal, head, cells), { columns: terminal.columns, spare: [3] }))
    })
}

/** An address may carry a password of its own. */
function withoutPassword(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[a-z][\w+.-]*:\/\//i.test(value) || !URL.canParse(value))
    return value
  const url = new URL(value)
  if (url.username === '' && url.password === '' && url.search === '') return value
  if (url.username !== '' || url.password !== '') url.username = '(secret)'
  url.password = ''
  for (const name of url.searchParams.keys()) url.searchParams.set(name, '(secret)')
  return decodeURIComponent(url.href)
}
