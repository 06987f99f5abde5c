import { dirname, join } from 'node:path'
import { fields } from '@secretary-mcp/core/config/fields.ts'
import { agentFolders } from '@secretary-mcp/transcripts/places.ts'
import { configFolder, type Surroundings } from './client.ts'

/** A file of ours that an agent loads as a plugin, for agents without hooks and those whose hooks tell their model nothing. */
export interface AgentPlugin {
  /** In a project. */
  readonly file: string
  /** The person's own, for all projects. */
  readonly own: (around: Surroundings) => string
  readonly script: string
  readonly notes: readonly string[]
}

interface PluginParts {
  readonly hasEditNotes?: boolean
  readonly watchesRules?: boolean
}

type MakePlugin = (command: readonly string[], parts?: PluginParts) => AgentPlugin

const MARK = '// Written by `secretary init`.'
/** A recall ends itself before that; with the default it is shorter than the three seconds that Cline gives a plugin. */
const SPARE_MS = 500

const NOTES = ['It runs in the first turn of a session and after every compaction.']

/** At the start and after a compaction. */
export const recallPlugins: Readonly<Record<string, MakePlugin>> = {
  opencode: (command, parts) => ({
    file: join('.opencode', 'plugins', 'secretary.js'),
    own: (around) => join(configFolder(around), 'opencode', 'plugins', 'secretary.js'),
    script: openCodeScript(command, parts),
    notes: NOTES,
  }),
  kilo: (command, parts) => ({
    file: join('.kilo', 'plugins', 'secretary.js'),
    own: (around) => join(configFolder(around), 'kilo', 'plugins', 'secretary.js'),
    script: openCodeScript(command, parts),
    notes: NOTES,
  }),
  'cline-cli': (command, parts) => ({
    file: join('.cline', 'plugins', 'secretary.js'),
    own: (around) => join(dirname(agentFolders(around).cline), 'plugins', 'secretary.js'),
    script: clineScript(command, parts),
    notes: NOTES,
  }),
}

/** The new text of the file. Undefined where it is there already. */
export function withPlugin(text: string, { script }: AgentPlugin): string | undefined {
  if (text === script) return undefined
  if (text !== '' && !text.startsWith(MARK)) throw new SyntaxError('it is not one of ours')
  return script
}

/** Nothing is left of a file that is ours, also where somebody changed it. */
export function withoutPlugin(text: string): string | undefined {
  return text.startsWith(MARK) ? '' : undefined
}

/**
 * The text becomes part of the system prompt, where it
 * stays the same until the next compaction, so that the model's cache holds. Whatever fails, the turn goes on.
 */
function recallScript([program = '', ...args]: readonly string[]): string {
  return `${MARK} It tells the agent what was asked before, at the start and after a compaction.
import { spawn } from 'node:child_process'

const PROGRAM = ${JSON.stringify(program)}
const ARGS = ${JSON.stringify(args)}
const PATIENCE_MS = (Number(process.env.SECRETARY_HOOK_SECONDS) || ${fields.hookSeconds.fallback}) * 1000 + ${SPARE_MS}

const hook = (command, input) =>
  new Promise((resolve) => {
    const child = spawn(PROGRAM, [...ARGS, ...command, '--hook'], {
      cwd: input.cwd,
      shell: process.platform === 'win32',
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const timer = setTimeout(() => {
      child.kill()
      resolve(undefined)
    }, PATIENCE_MS)
    let said = ''
    child.stdout.on('data', (part) => {
      said += part
    })
    child.on('error', () => resolve(undefined))
    child.on('close', () => {
      clearTimeout(timer)
      try {
        resolve(JSON.parse(said).hookSpecificOutput)
      } catch {
        resolve(undefined)
      }
    })
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify(input))
  })
const ask = async (command, input) => (await hook([command], input))?.additionalContext
`
}

type MakeScript = (command: readonly string[], parts?: PluginParts) => string

const openCodeScript: MakeScript = (command, parts = {}) => `${recallScript(command)}
const recall = (cwd, session_id, source) => ask('recall', { session_id, cwd, source })

export const Secretary = async ({ client, directory }) => {
  const answers = new Map()

  // A helper works for a session that was told already.
  const isHelper = async (id) => {
    const { data } = await client.session.get({ path: { id } }).catch(() => ({}))
    return Boolean(data?.parentID)
  }

  const begin = async (id) => ((await isHelper(id)) ? undefined : recall(directory, id, 'startup'))

  return {
    event: async ({ event }) => {
      const { sessionID } = event.properties ?? {}
      if (event.type === 'session.compacted')
        answers.set(sessionID, recall(directory, sessionID, 'compact'))
    },
    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      if (!sessionID) return
      if (!answers.has(sessionID)) answers.set(sessionID, begin(sessionID))
      const text = await answers.get(sessionID)
      if (text) system.push(text)
    },${openCodeTools(parts)}
  }
}
`

/**
 * What is known about a file before it is changed, and a rule that is about to be broken, reach the model beside the answer of the
 * tool. A rule that does not only tell ends the call: a plugin cannot ask the person.
 */
function openCodeTools({ hasEditNotes, watchesRules }: PluginParts): string {
  if (!hasEditNotes && !watchesRules) return ''
  return `
    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      if (!/^(bash|edit|write|patch|apply_patch)$/.test(tool)) return
      const tool_input = { file_path: args.filePath, patch: args.patchText, command: args.command }
      const about = { session_id: sessionID, cwd: directory, tool_name: tool, tool_input }
      const notes = []${hasEditNotes ? OPENCODE_NOTES : ''}${watchesRules ? OPENCODE_RULES : ''}
      const text = notes.filter(Boolean).join('\\n\\n')
      if (text) answers.set(callID, text)
    },
    'tool.execute.after': async ({ callID }, answer) => {
      if (answers.has(callID)) answer.output += '\\n\\n' + answers.get(callID)
      answers.delete(callID)
    },`
}

const OPENCODE_NOTES = `
      if (tool !== 'bash') notes.push(await ask('edit-notes', about))`

const OPENCODE_RULES = `
      const rule = await hook(['rules', 'watch'], about)
      if (rule?.permissionDecision) throw new Error(rule.permissionDecisionReason)
      notes.push(rule?.additionalContext)`

const clineScript: MakeScript = (command, { hasEditNotes } = {}) => `${recallScript(command)}
let place
const answers = new Map()
// It runs in a process of its own, below the agent's.
const agent_pid = process.ppid
const tell = (when, source) => {
  const about = { session_id: place.sessionID, cwd: place.directory, source, agent_pid }
  if (!answers.has(when)) answers.set(when, ask('recall', about))
  return answers.get(when)
}

export default {
  name: 'secretary',
  manifest: { capabilities: ['rules', 'hooks'] },
  setup(api, { session, workspaceInfo }) {
    answers.clear()
    place = { directory: workspaceInfo?.rootPath ?? process.cwd(), sessionID: session?.sessionId }
    api.registerRule({
      id: 'secretary',
      content: async () => (await tell('at the start', 'startup')) ?? '',
    })
  },
  hooks: {
    // The summary stays in front of every later request, and so does what is added to it.
    beforeModel: async ({ request: { messages } }) => {
      const later = []
      for (const one of messages) {
        const { kind, generatedAt } = one.metadata ?? {}
        const text = kind === 'compaction_summary' && (await tell(generatedAt, 'compact'))
        later.push(text ? { ...one, content: [...one.content, { type: 'text', text }] } : one)${hasEditNotes ? CLINE_NOTES : ''}
      }
      return { messages: later }
    },${hasEditNotes ? CLINE_EDITS : ''}
  },
}
`

const CLINE_EDITS = `
    beforeTool: async ({ toolCall: { toolCallId, toolName }, input }) => {
      if (!/^(editor|apply_patch)$/.test(toolName)) return
      const tool_input = { file_path: input.path, patch: input.input }
      const about = { session_id: place.sessionID, cwd: place.directory, tool_input }
      answers.set(toolCallId, await ask('edit-notes', about))
    },`

const CLINE_NOTES = `
        for (const { toolCallId } of one.role === 'assistant' ? [] : one.content) {
          const note = toolCallId && (await answers.get(toolCallId))
          if (note) later.push({ id: toolCallId, role: 'user', content: [{ type: 'text', text: note }] })
        }`
