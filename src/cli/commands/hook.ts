import { recallHooks } from '../clients/recall-hooks.ts'
import { sharedCommand } from '../clients/server-entry.ts'
import { type RegisterCommand, UsageError } from '../command-context.ts'

export const registerHook: RegisterCommand = (program, { terminal }) => {
  const names = Object.keys(recallHooks).join(', ')
  program
    .command('hook')
    .description('show the hook that makes an agent recall automatically; writes nothing')
    .argument('<agent>', names)
    .option('--json', 'print only what goes into the file')
    .action((agent: string, options: { json?: boolean }) => {
      const hook = Object.hasOwn(recallHooks, agent)
        ? recallHooks[agent]?.(sharedCommand())
        : undefined
      if (!hook) throw new UsageError(`No hook for ${agent.slice(0, 50)}; there are ${names}`)
      if (options.json) return terminal.print(JSON.stringify(hook.content))
      terminal.print(
        `Add to ${hook.file} (this project)${hook.everywhere ? ` or ${hook.everywhere} (all projects)` : ''}:\n`,
      )
      terminal.print(JSON.stringify(hook.content, null, 2))
      terminal.print('')
      for (const note of hook.notes) terminal.print(note)
      terminal.print('`secretary init` offers to write it.')
    })
}
