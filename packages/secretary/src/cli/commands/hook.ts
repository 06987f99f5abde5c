import { placesOf } from '@secretary-mcp/transcripts/places.ts'
import { type AgentHook, recallHooks } from '../clients/agent-hooks.ts'
import { type AgentPlugin, recallPlugins } from '../clients/recall-plugins.ts'
import { isThisOnPath, ownCommand, SHARED_COMMAND } from '../clients/server-entry.ts'
import { type RegisterCommand, UsageError } from '../command-context.ts'

export const registerHook: RegisterCommand = (program, { terminal, settings }) => {
  const names = [...Object.keys(recallHooks), ...Object.keys(recallPlugins)].join(', ')
  program
    .command('hook')
    .description('show the hook that makes an agent recall automatically; writes nothing')
    .argument('<agent>', names)
    .option('--json', 'print only what goes into the file')
    .action((agent: string, options: { json?: boolean }, called) => {
      const around = { ...placesOf(settings(called).config), project: '' }
      const hook = hookFor(agent)
      if (!hook) throw new UsageError(`No hook for ${agent.slice(0, 50)}; there are ${names}`)
      if (options.json) return terminal.print(textOf(hook))
      terminal.print(`Add to ${hook.own(around)} (all projects) or ${hook.file} (this project):\n`)
      terminal.print(textOf(hook, 2))
      terminal.print('')
      for (const note of hook.notes) terminal.print(note)
      terminal.print('`secretary init` offers to write it.')
    })
}

function hookFor(agent: string): AgentHook | AgentPlugin | undefined {
  const command = isThisOnPath() ? SHARED_COMMAND : ownCommand()
  if (Object.hasOwn(recallPlugins, agent)) return recallPlugins[agent]?.(command)
  return Object.hasOwn(recallHooks, agent) ? recallHooks[agent]?.(command) : undefined
}

function textOf(hook: AgentHook | AgentPlugin, indent?: number): string {
  return 'script' in hook ? hook.script.trimEnd() : JSON.stringify(hook.content, null, indent)
}
