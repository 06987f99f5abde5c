import { join } from 'node:path'
import { isRecord } from './is-record.ts'
import { COMMAND } from './server-entry.ts'
import { readJson, withJsonValue } from './with-json-value.ts'

/** What makes an agent recall by itself, at the start and after a compaction. */
export interface RecallHook {
  readonly file: string
  readonly everywhere?: string
  readonly content: { readonly hooks: Readonly<Record<string, readonly object[]>> }
  readonly notes: readonly string[]
}

/** As a shell reads it. These files are shared with others, so no path of this machine is in it. */
function recallCommand(more = ''): string {
  return `${COMMAND} recall --hook${more}`
}

const start = (command: string, matcher: string) => ({
  hooks: { SessionStart: [{ matcher, hooks: [{ type: 'command', command, timeout: 15 }] }] },
})

export const recallHooks: Readonly<Record<string, () => RecallHook>> = {
  'claude-code': () => ({
    file: join('.claude', 'settings.json'),
    everywhere: '~/.claude/settings.json',
    content: start(recallCommand(' --project "$CLAUDE_PROJECT_DIR"'), 'startup|resume|compact'),
    notes: ['It runs at the start, on resuming and after every compaction.'],
  }),
  codex: () => ({
    file: join('.codex', 'hooks.json'),
    everywhere: '~/.codex/hooks.json',
    content: start(recallCommand(), 'startup|resume|clear|compact'),
    notes: [
      'Older versions also need `codex_hooks = true` under [features] in ~/.codex/config.toml.',
      'For versions that do not run hooks after a compaction, add to AGENTS.md:',
      '  After a compaction, call the recall tool of Secretary before anything else.',
    ],
  }),
  copilot: () => ({
    file: join('.github', 'hooks', 'secretary.json'),
    content: {
      hooks: { SessionStart: [{ type: 'command', command: recallCommand(), timeout: 15 }] },
    },
    notes: [
      'VS Code has no hook after a compaction; add to .github/copilot-instructions.md:',
      '  After your history was summarised, call copilot_chat_secretary_recall before anything else.',
    ],
  }),
}

/** The file's text with our hook added to what is there. Undefined where one of ours is there already. */
export function withHook(text: string, { content }: RecallHook): string | undefined {
  const { hooks = {} } = readJson(text)
  if (!isRecord(hooks)) throw new SyntaxError('hooks is not an object')
  if (/recall --hook/.test(JSON.stringify(hooks))) return undefined
  let made = text
  for (const [event, added] of Object.entries(content.hooks)) {
    const known = hooks[event]
    if (known !== undefined && !Array.isArray(known))
      throw new SyntaxError(`hooks.${event} is not a list`)
    if (known)
      for (const [place, hook] of added.entries())
        made = withJsonValue(made, ['hooks', event, known.length + place], hook)
    else made = withJsonValue(made, ['hooks', event], added)
  }
  return made
}
