import { openApp, type RegisterCommand } from '../command-context.ts'

export const registerMcp: RegisterCommand = (program, context) => {
  program
    .command('mcp')
    .description('run an MCP server on standard input and output')
    .action(async (_options, command) => {
      const { runStdio } = await import('../../serve/mcp/stdio.ts')
      await runStdio(context.settings(command).config, (config) => openApp(config))
      process.exit(0)
    })
}
