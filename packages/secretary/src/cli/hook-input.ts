import type { Readable } from 'node:stream'

const MOST_BYTES = 1 << 20
const PATIENCE_MS = 1_000

export interface HookInput {
  readonly sessionId?: string
  readonly project?: string
  /** What a tool is about to change. */
  readonly file?: string
  /** The session has just begun: not resumed, not compacted. */
  readonly isFresh?: boolean
  /** The agent's process, where the hook runs below another one that the agent has for it. */
  readonly agent?: number
}

type HookFields = Readonly<Record<string, unknown>>

const PATCHED = /^\*\*\* (?:Update|Add) File: (.+)$/m

/** What an agent tells its hooks: which session, where, and why. Nothing told is no fault. */
export async function readHookInput(input: Readable & { isTTY?: boolean }): Promise<HookInput> {
  if (input.isTTY) return {}
  try {
    const sent: unknown = JSON.parse((await allOf(input)).trim())
    const { session_id, sessionId, cwd, source, tool_input, toolArgs, agent_pid } = (sent ??
      {}) as HookFields
    const isFresh = /^(startup|new|clear)$/.test(String(source))
    return {
      sessionId: text(session_id) ?? text(sessionId),
      project: text(cwd),
      file: fileIn(tool_input ?? toolArgs),
      isFresh,
      agent: Number.isInteger(agent_pid) ? Number(agent_pid) : undefined,
    }
  } catch {
    return {}
  }
}

/** What a tool is told to change: a path, or a patch, which may be inside a command. */
function fileIn(input: unknown): string | undefined {
  const { file_path, notebook_path, path, command, patch } = (input ?? {}) as HookFields
  const named = text(file_path) ?? text(notebook_path) ?? text(path)
  return named ?? PATCHED.exec(text(input) ?? text(command) ?? text(patch) ?? '')?.[1]?.trim()
}

function allOf(input: Readable): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const done = () => {
      clearTimeout(timer)
      input.off('data', take)
      input.destroy()
      resolve(Buffer.concat(chunks).toString('utf8'))
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > MOST_BYTES) return done()
      chunks.push(chunk)
    }
    // A pipe that nobody closes must not hold up the session.
    const timer = setTimeout(done, PATIENCE_MS)
    input.on('data', take)
    input.once('end', done)
    input.once('error', done)
  })
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
