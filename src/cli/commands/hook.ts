import { type RegisterCommand, UsageError } from '../command-context.ts'

interface Recipe {
  readonly file: string
  readonly content: object
  readonly notes: readonly string[]
}

const start = (command: string, matcher: string) => ({
  hooks: { SessionStart: [{ matcher, hooks: [{ type: 'command', command, timeout: 15 }] }] },
})

const recipes: Readonly<Record<string, Recipe>> = {
  'claude-code': {
    file: '.claude/settings.json (this project) or ~/.claude/settings.json (all projects)',
    content: start('secretary recall --hook --project "$CLAUDE_PROJECT_DIR"', 'startup|resume|compact'),
    notes: ['It runs at the start, on resuming and after every compaction.'],
  },
  codex: {
    file: '.codex/hooks.json (this project) or ~/.codex/hooks.json (all projects)',
    content: start('secretary recall --hook', 'startup|resume|clear|compact'),
    notes: [
      'Older versions also need `codex_hooks = true` under [features] in ~/.codex/config.toml.',
      'For versions that do not run hooks after a compaction, add to AGENTS.md:',
      '  After a compaction, call the recall tool of Secretary before anything else.',
    ],
  },
  copilot: {
    file: '.github/hooks/secretary.json',
    content: { hooks: { SessionStart: [{ type: 'command', command: 'secretary recall --hook', timeout: 15 }] } },
    notes: [
      'VS Code has no hook after a compaction; add to .github/copilot-instructions.md:',
      '  After your history was summarised, call copilot_chat_secretary_recall before anything else.',
    ],
  },
}

export const registerHook: RegisterCommand = (program, { terminal }) => {
  program
    .command('hook')
    .description('show what makes an agent recall by itself; nothing is written')
    .argument('<agent>', Object.keys(recipes).join(', '))
    .option('--json', 'only what to put into the file')
    .action((agent: string, options: { json?: boolean }) => {
      const recipe = Object.hasOwn(recipes, agent) ? recipes[agent] : undefined
      if (!recipe) throw new UsageError(`No hook for ${agent.slice(0, 50)}; there are ${Object.keys(recipes).join(', ')}`)
      if (options.json) return terminal.print(JSON.stringify(recipe.content))
      terminal.print(`Add to ${recipe.file}:\n`)
      terminal.print(JSON.stringify(recipe.content, null, 2))
      terminal.print('')
      for (const note of recipe.notes) terminal.print(note)
    })
}
