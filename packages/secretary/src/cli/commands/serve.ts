import { httpEntry, serverEntry } from '../clients/server-entry.ts'
import { createSetup } from '../clients/setup.ts'
import type { RegisterCommand } from '../command-context.ts'
import { STOP_OPTION, type StopOptions, untilStopped } from '../until-stopped.ts'

const MAX_CONNECTIONS = 10

export const registerServe: RegisterCommand = (program, context) => {
  program
    .command('serve')
    .description('serve the dashboard, the API and MCP over HTTP (see --host, --port)')
    .option(...STOP_OPTION)
    .action((options: StopOptions, command) =>
      context.withApp(
        command,
        async (app) => {
          const { listen } = await import('../../serve/listen.ts')
          const listening = await listen(app, { setup: createSetup(app) })
          const { terminal } = context
          const { project, user } = app.config
          terminal.print(`Secretary is running for ${user} in ${project}`)
          terminal.print(`  page  ${await listening.signInUrl()}`)
          terminal.print(`  MCP   ${listening.url}/mcp`)
          terminal.print('')
          terminal.print('For a client that connects over HTTP:')
          terminal.print(`  ${JSON.stringify({ mcpServers: { secretary: httpEntry(listening) } })}`)
          terminal.print('For a client that starts the server itself:')
          terminal.print(
            `  ${JSON.stringify({ mcpServers: { secretary: serverEntry({ project }) } })}`,
          )
          terminal.print(
            '`secretary init` writes it for the agents on this machine. Press Ctrl-C to stop.',
          )
          await untilStopped(options)
          await listening.close()
        },
        { quiet: false, connections: MAX_CONNECTIONS, isObserved: true },
      ),
    )
}
