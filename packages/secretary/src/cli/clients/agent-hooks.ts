import { join } from 'node:path'
import { agentFolders } from '@secretary-mcp/transcripts/places.ts'
import type { Surroundings } from './client.ts'
import { COMMAND, ownCommand, shellLine } from './server-entry.ts'
import { isRecord, readJson, withJsonValue, withoutJsonValue } from './with-json-value.ts'

/** What makes an agent run us by itself. */
export interface AgentHook {
  /** In a project. */
  readonly file: string
  /** The person's own, for all projects. */
  readonly own: (around: Surroundings) => string
  readonly content: { readonly hooks: Readonly<Record<string, readonly object[]>> }
  readonly notes: readonly string[]
}

/** Longer than a recall may take: it gives up by itself before the agent has to. */
const PATIENCE_SEC = 5

function recallCommand(command: readonly string[], more = ''): string {
  return `${shellLine(command)} recall --hook${more}`
}

/** PowerShell takes a quoted program for a text unless it is called. */
function powershellLine(command: readonly string[]): string {
  const line = shellLine(command)
  return line.startsWith('"') ? `& ${line}` : line
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
    own: (around) => join(agentFolders(around).claude, 'settings.json'),
    content: start(
      recallCommand(command, ' --project "$CLAUDE_PROJECT_DIR"'),
      'startup|resume|compact',
    ),
    notes: [AT_ANY_START],
  }),
  codex: (command) => ({
    file: join('.codex', 'hooks.json'),
    own: (around) => join(agentFolders(around).codex, 'hooks.json'),
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
    own: (around) => join(agentFolders(around).gemini, 'settings.json'),
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
    own: (around) => join(agentFolders(around).qwen, 'settings.json'),
    content: start(recallCommand(command), 'startup|resume|clear|compact'),
    notes: [AT_ANY_START],
  }),
  continue: (command) => ({
    file: join('.continue', 'settings.json'),
    own: (around) => join(agentFolders(around).continue, 'settings.json'),
    content: start(recallCommand(command), 'startup|resume|compact'),
    notes: ['Continue also runs the hooks in .claude/settings.json: one of the two is enough.'],
  }),
  droid: (command) => ({
    file: join('.factory', 'settings.json'),
    own: (around) => join(agentFolders(around).factory, 'settings.json'),
    content: start(recallCommand(command), 'startup|resume|clear|compact'),
    notes: [AT_ANY_START],
  }),
  'copilot-cli': (command) => ({
    file: join('.github', 'hooks', 'secretary.json'),
    own: (around) => join(agentFolders(around).copilot, 'hooks', 'secretary.json'),
    content: {
      version: 1,
      hooks: {
        sessionStart: [
          {
            type: 'command',
            bash: recallCommand(command, ' --form copilot'),
            powershell: `${powershellLine(command)} recall --hook --form copilot`,
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

/** The file's text with our hook added to what is there. Undefined where ours is there already. */
export function withHook(text: string, { content }: AgentHook): string | undefined {
  const known = hooksIn(text)
  const there = ourMarks(known, Object.keys(content.hooks))
  if (marksIn(content).every((mark) => there.includes(mark))) return undefined
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

/** The command of our recall hook in a file, for this platform. */
export function ownHookCommand(text: string): string | undefined {
  const leaves = Object.values(hooksIn(text)).flatMap((groups) =>
    Array.isArray(groups) ? groups.flatMap(leavesOf) : [],
  )
  const ours = leaves.find((leaf) => isOurs(leaf) && marksIn(leaf).includes('recall --hook'))
  const { command, bash, powershell } = (ours ?? {}) as Record<string, string | undefined>
  return command ?? (process.platform === 'win32' ? powershell : bash)
}

/** Hooks that look like this one of ours and run something else; none if ours is there as well. */
export function foreignHooks(text: string, { content }: AgentHook): unknown[] {
  const known = hooksIn(text)
  const [mark = ''] = marksIn(content)
  if (ourMarks(known, Object.keys(content.hooks)).includes(mark)) return []
  return Object.values(known)
    .flatMap((groups) => (Array.isArray(groups) ? groups.flatMap(leavesOf) : [groups]))
    .filter((leaf) => marksIn(leaf).includes(mark) && !isOurs(leaf))
}

/** The text without what we wrote for these events, hook by hook; undefined where nothing of ours is there. */
export function withoutHook(text: string, written: readonly AgentHook[]): string | undefined {
  let made = text
  for (const { content } of written) {
    const marks = marksIn(content)
    const isWritten = (leaf: unknown) =>
      isOurs(leaf) && marksIn(leaf).some((one) => marks.includes(one))
    for (const event of Object.keys(content.hooks)) made = withoutIn(made, event, isWritten)
  }
  return made === text ? undefined : made
}

function withoutIn(text: string, event: string, isWritten: (leaf: unknown) => boolean): string {
  const groups = hooksIn(text)[event]
  if (!Array.isArray(groups)) return text
  const isAllOurs = (group: unknown) => {
    if (!isGroup(group)) return isWritten(group)
    const isPlain = Object.keys(group).every((key) => key === 'matcher' || key === 'hooks')
    return isPlain && group.hooks.length > 0 && group.hooks.every(isWritten)
  }
  if (groups.length > 0 && groups.every(isAllOurs)) return withoutJsonValue(text, ['hooks', event])
  let made = text
  for (const [index, group] of [...groups.entries()].reverse()) {
    if (isAllOurs(group)) made = withoutJsonValue(made, ['hooks', event, index])
    else if (isGroup(group))
      for (const [place, leaf] of [...group.hooks.entries()].reverse())
        if (isWritten(leaf)) made = withoutJsonValue(made, ['hooks', event, index, 'hooks', place])
  }
  return made
}

function hooksIn(text: string): Record<string, unknown> {
  const { hooks = {} } = readJson(text)
  if (!isRecord(hooks)) throw new SyntaxError('hooks is not an object')
  return hooks
}

function isGroup(group: unknown): group is { readonly hooks: readonly unknown[] } {
  return isRecord(group) && Array.isArray(group.hooks)
}

/** Some agents put hooks into groups, some do not. */
function leavesOf(group: unknown): readonly unknown[] {
  return isGroup(group) ? group.hooks : [group]
}

function ourMarks(known: Record<string, unknown>, events: readonly string[]): string[] {
  const groups = events.flatMap((event) => known[event] ?? [])
  return groups.flatMap(leavesOf).filter(isOurs).flatMap(marksIn)
}

/** By what our hooks are known, whatever starts them. */
function marksIn(hooks: unknown): string[] {
  return JSON.stringify(hooks ?? null).match(/(recall|edit-notes|rules watch) --hook/g) ?? []
}

const OUR_COMMAND =
  /^secretary (?:recall|edit-notes|rules watch) --hook(?: --project "\$CLAUDE_PROJECT_DIR")?(?: --form copilot)?$/
const COMMAND_KEYS = ['command', 'bash', 'powershell']
const OUR_KEYS = new Set([...COMMAND_KEYS, 'type', 'matcher', 'timeout', 'timeoutSec'])

/** Runs us and nothing else: a line that only mentions us belongs to whoever wrote it. */
function isOurs(leaf: unknown): boolean {
  if (!isRecord(leaf) || !Object.keys(leaf).every((key) => OUR_KEYS.has(key))) return false
  const commands = COMMAND_KEYS.flatMap((key) => (leaf[key] === undefined ? [] : [leaf[key]]))
  return commands.length > 0 && commands.every(isOurCommand)
}

function isOurCommand(command: unknown): boolean {
  if (typeof command !== 'string') return false
  // This installation, by its path, counts as its name does.
  const line = [powershellLine(ownCommand()), shellLine(ownCommand())].find((own) =>
    command.startsWith(`${own} `),
  )
  return OUR_COMMAND.test(line === undefined ? command : COMMAND + command.slice(line.length))
}

interface BeforeTool {
  /** What of ours runs. */
  readonly run: string
  readonly notes: readonly string[]
  /** Names of tools, as each agent calls them. */
  readonly claude: string
  readonly codex: string
  readonly copilot: string
}

type AgentHooks = Readonly<Record<string, (command: readonly string[]) => AgentHook>>

/** Runs us before a tool, for agents whose hook can tell their model. */
const beforeTool = ({ run, notes, ...matchers }: BeforeTool): AgentHooks => {
  const hook = (matcher: string, command: string) => ({
    hooks: {
      PreToolUse: [{ matcher, hooks: [{ type: 'command', command, timeout: PATIENCE_SEC }] }],
    },
  })
  return {
    'claude-code': (command) => ({
      file: join('.claude', 'settings.json'),
      own: (around) => join(agentFolders(around).claude, 'settings.json'),
      content: hook(
        matchers.claude,
        `${shellLine(command)} ${run} --project "$CLAUDE_PROJECT_DIR"`,
      ),
      notes,
    }),
    codex: (command) => ({
      file: join('.codex', 'hooks.json'),
      own: (around) => join(agentFolders(around).codex, 'hooks.json'),
      content: hook(matchers.codex, `${shellLine(command)} ${run}`),
      notes,
    }),
    'copilot-cli': (command) => ({
      file: join('.github', 'hooks', 'secretary.json'),
      own: (around) => join(agentFolders(around).copilot, 'hooks', 'secretary.json'),
      content: {
        version: 1,
        hooks: {
          preToolUse: [
            {
              type: 'command',
              matcher: matchers.copilot,
              bash: `${shellLine(command)} ${run} --form copilot`,
              powershell: `${powershellLine(command)} ${run} --form copilot`,
              timeoutSec: PATIENCE_SEC,
            },
          ],
        },
      },
      notes,
    }),
  }
}

/** What tells an agent, before it changes a file, what was asked for and decided about it. */
export const editHooks = beforeTool({
  run: 'edit-notes --hook',
  notes: ['It runs before every edit and says nothing where there is nothing new.'],
  claude: 'Edit|MultiEdit|Write|NotebookEdit',
  // It may patch files by a command, too.
  codex: 'apply_patch|Bash',
  copilot: 'apply_patch|edit|create',
})

/** What checks the watched rules before a tool runs. */
export const watchHooks = beforeTool({
  run: 'rules watch --hook',
  notes: [
    'It runs before every command and edit, and says nothing unless a rule of yours is about to be broken.',
  ],
  claude: 'Bash|Edit|MultiEdit|Write|NotebookEdit',
  codex: 'apply_patch|Bash',
  copilot: 'bash|powershell|apply_patch|edit|create',
})
