import { join } from 'node:path'
import { isRecord } from './is-record.ts'
import { readJson, withJsonValue, withoutJsonValue } from './with-json-value.ts'

/** What makes an agent run us by itself. */
export interface AgentHook {
  readonly file: string
  readonly everywhere?: string
  readonly content: { readonly hooks: Readonly<Record<string, readonly object[]>> }
  readonly notes: readonly string[]
}

/** Longer than a recall may take: it gives up by itself before the agent has to. */
const PATIENCE_SEC = 5

/** As a shell reads it. These files are shared with others, so no path of this machine is in it. */
function recallCommand(command: readonly string[], more = ''): string {
  return `${command.join(' ')} recall --hook${more}`
}

/** The form that Claude Code made and others took over. */
const start = (command: string, matcher: string) => ({
  hooks: {
    SessionStart: [{ matcher, hooks: [{ type: 'command', command, timeout: PATIENCE_SEC }] }],
  },
})

const AT_ANY_START = 'It runs at the start, on resuming and after every compaction.'

/** At the start and after a compaction. */
export const recallHooks: Readonly<Record<string, (command: readonly string[]) => AgentHook>> = {
  'claude-code': (command) => ({
    file: join('.claude', 'settings.json'),
    everywhere: '~/.claude/settings.json',
    content: start(
      recallCommand(command, ' --project "$CLAUDE_PROJECT_DIR"'),
      'startup|resume|compact',
    ),
    notes: [AT_ANY_START],
  }),
  codex: (command) => ({
    file: join('.codex', 'hooks.json'),
    everywhere: '~/.codex/hooks.json',
    content: start(recallCommand(command), 'startup|resume|clear|compact'),
    notes: [
      'Codex runs the hooks of a project once you have trusted them: type /hooks in it.',
      'Older versions also need `codex_hooks = true` under [features] in ~/.codex/config.toml.',
      'For versions that do not run hooks after a compaction, add to AGENTS.md:',
      '  After a compaction, call the recall tool of Secretary before anything else.',
    ],
  }),
  'gemini-cli': (command) => ({
    file: join('.gemini', 'settings.json'),
    everywhere: '~/.gemini/settings.json',
    content: {
      hooks: {
        SessionStart: [
          {
            hooks: [
              { type: 'command', command: recallCommand(command), timeout: PATIENCE_SEC * 1000 },
            ],
          },
        ],
      },
    },
    notes: ['It runs at the start and on resuming.'],
  }),
  'qwen-code': (command) => ({
    file: join('.qwen', 'settings.json'),
    everywhere: '~/.qwen/settings.json',
    content: start(recallCommand(command), 'startup|resume|clear|compact'),
    notes: [AT_ANY_START],
  }),
  continue: (command) => ({
    file: join('.continue', 'settings.json'),
    everywhere: '~/.continue/settings.json',
    content: start(recallCommand(command), 'startup|resume|compact'),
    notes: ['Continue also runs the hooks in .claude/settings.json: one of the two is enough.'],
  }),
  droid: (command) => ({
    file: join('.factory', 'settings.json'),
    everywhere: '~/.factory/settings.json',
    content: start(recallCommand(command), 'startup|resume|clear|compact'),
    notes: [AT_ANY_START],
  }),
  'copilot-cli': (command) => ({
    file: join('.github', 'hooks', 'secretary.json'),
    content: {
      version: 1,
      hooks: {
        sessionStart: [
          {
            type: 'command',
            bash: recallCommand(command, ' --form copilot'),
            powershell: recallCommand(command, ' --form copilot'),
            timeoutSec: PATIENCE_SEC,
          },
        ],
      },
    },
    notes: [
      'VS Code reads the same file. Neither has a hook after a compaction; add to .github/copilot-instructions.md:',
      '  After your history was summarised, call copilot_chat_secretary_recall before anything else.',
    ],
  }),
}

/** The file's text with our hook added to what is there. Undefined where one of ours is there already. */
export function withHook(text: string, { content }: AgentHook): string | undefined {
  const known = hooksIn(text)
  if (marksIn(content).every((mark) => marksIn(known).includes(mark))) return undefined
  let made = text
  const { hooks: added, ...about } = content
  for (const [key, value] of Object.entries(about))
    if (readJson(text)[key] === undefined) made = withJsonValue(made, [key], value)
  for (const [event, hooks] of Object.entries(added)) {
    const there = known[event]
    if (there !== undefined && !Array.isArray(there))
      throw new SyntaxError(`hooks.${event} is not a list`)
    if (there)
      for (const [place, hook] of hooks.entries())
        made = withJsonValue(made, ['hooks', event, there.length + place], hook)
    else made = withJsonValue(made, ['hooks', event], hooks)
  }
  return made
}

/** The text without our hooks; undefined where there is none. */
export function withoutHook(text: string): string | undefined {
  let made = text
  for (const [event, hooks] of Object.entries(hooksIn(text))) {
    if (!Array.isArray(hooks) || !isOurs(hooks)) continue
    const others = hooks.filter((hook) => !isOurs(hook))
    if (others.length === 0) made = withoutJsonValue(made, ['hooks', event])
    else
      for (const [place, hook] of [...hooks.entries()].reverse())
        if (isOurs(hook)) made = withoutJsonValue(made, ['hooks', event, place])
  }
  return made === text ? undefined : made
}

function hooksIn(text: string): Record<string, unknown> {
  const { hooks = {} } = readJson(text)
  if (!isRecord(hooks)) throw new SyntaxError('hooks is not an object')
  return hooks
}

function isOurs(hooks: unknown): boolean {
  return marksIn(hooks).length > 0
}

/** By what our hooks are known, whatever starts them. */
function marksIn(hooks: unknown): string[] {
  return JSON.stringify(hooks).match(/(recall|edit-notes) --hook/g) ?? []
}
