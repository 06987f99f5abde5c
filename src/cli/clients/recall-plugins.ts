import { join } from 'node:path'

/** A file of ours that an agent loads as a plugin, for agents without hooks and those whose hooks tell their model nothing. */
export interface AgentPlugin {
  readonly file: string
  readonly everywhere?: string
  readonly script: string
  readonly notes: readonly string[]
}

const MARK = '// Written by `secretary init`.'
/** Longer than a recall may take, and shorter than the three seconds that Cline gives a plugin. */
const PATIENCE_MS = 2_500

const NOTES = ['It runs in the first turn of a session and after every compaction.']

/** At the start and after a compaction. */
export const recallPlugins: Readonly<Record<string, (command: readonly string[]) => AgentPlugin>> =
  {
    opencode: (command) => ({
      file: join('.opencode', 'plugins', 'secretary.js'),
      everywhere: '~/.config/opencode/plugins/secretary.js',
      script: openCodeScript(command),
      notes: NOTES,
    }),
    kilo: (command) => ({
      file: join('.kilo', 'plugins', 'secretary.js'),
      everywhere: '~/.config/kilo/plugins/secretary.js',
      script: openCodeScript(command),
      notes: NOTES,
    }),
    'cline-cli': (command) => ({
      file: join('.cline', 'plugins', 'secretary.js'),
      everywhere: '~/.cline/plugins/secretary.js',
      script: clineScript(command),
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
 * Shared with others, so no path of this machine is in it. The text becomes part of the system prompt, where it
 * stays the same until the next compaction, so that the model's cache holds. Whatever fails, the turn goes on.
 */
function recallScript([program = '', ...args]: readonly string[]): string {
  return `${MARK} It tells the agent what was asked before, at the start and after a compaction.
import { spawn } from 'node:child_process'

const PROGRAM = ${JSON.stringify(program)}
const ARGS = ${JSON.stringify([...args, 'recall', '--hook'])}
const PATIENCE_MS = ${PATIENCE_MS}

const recall = (directory, sessionID, source) =>
  new Promise((resolve) => {
    const child = spawn(PROGRAM, ARGS, {
      cwd: directory,
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
        resolve(JSON.parse(said).hookSpecificOutput.additionalContext)
      } catch {
        resolve(undefined)
      }
    })
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify({ session_id: sessionID, cwd: directory, source }))
  })
`
}

const openCodeScript = (command: readonly string[]) => `${recallScript(command)}
export const Secretary = async ({ client, directory }) => {
  const told = new Map()

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
        told.set(sessionID, recall(directory, sessionID, 'compact'))
    },
    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      if (!sessionID) return
      if (!told.has(sessionID)) told.set(sessionID, begin(sessionID))
      const text = await told.get(sessionID)
      if (text) system.push(text)
    },
  }
}
`

const clineScript = (command: readonly string[]) => `${recallScript(command)}
let place
const told = new Map()
const tell = (when, source) => {
  if (!told.has(when)) told.set(when, recall(place.directory, place.sessionID, source))
  return told.get(when)
}

export default {
  name: 'secretary',
  manifest: { capabilities: ['rules', 'hooks'] },
  setup(api, { session, workspaceInfo }) {
    place = { directory: workspaceInfo?.rootPath ?? process.cwd(), sessionID: session?.sessionId }
    api.registerRule({
      id: 'secretary',
      content: async () => (await tell('at the start', 'startup')) ?? '',
    })
  },
  hooks: {
    // The summary stays in front of every later request, and so does what is added to it.
    beforeModel: async ({ request: { messages } }) => {
      const summary = messages.find(({ metadata }) => metadata?.kind === 'compaction_summary')
      const text = summary && (await tell(summary.metadata.generatedAt, 'compact'))
      if (!text) return
      const added = { ...summary, content: [...summary.content, { type: 'text', text }] }
      return { messages: messages.map((one) => (one === summary ? added : one)) }
    },
  },
}
`
