import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { inputOf } from '@secretary-mcp/transcripts/deeds/call-deeds.ts'
import type { JsonObject } from '@secretary-mcp/transcripts/reading/loose-json.ts'
import type { Command } from 'commander'
import { writeWhole } from './clients/write-whole.ts'
import type { CommandContext } from './command-context.ts'

const MAX_BYTES = 1 << 20
const PATIENCE_MS = 1_000

interface HookInput {
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

interface HookCall {
  readonly sessionId?: string
  readonly project?: string
  readonly cwd?: string
  /** The tool that is about to run. */
  readonly tool?: string
  readonly input: JsonObject
}

/** The call that an agent is about to make, as it tells its hooks. */
export async function readHookCall(input: Readable & { isTTY?: boolean }): Promise<HookCall> {
  if (input.isTTY) return { input: {} }
  try {
    const sent = JSON.parse((await allOf(input)).trim()) as HookFields
    const { session_id, sessionId, cwd, tool_name, toolName, tool_input, toolArgs } = sent
    return {
      sessionId: text(session_id) ?? text(sessionId),
      project: text(cwd),
      cwd: text(cwd),
      tool: text(tool_name) ?? text(toolName),
      input: inputOf(tool_input ?? toolArgs),
    }
  } catch {
    return { input: {} }
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
      if (size > MAX_BYTES) return done()
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

type HookEvent = 'SessionStart' | 'PreToolUse'

const forClaude = (text: string, hookEventName: HookEvent) => ({
  hookSpecificOutput: { hookEventName, additionalContext: text },
})

/** What an agent wants a hook to answer; most took over the form of Claude Code. */
const ANSWERS: Readonly<Record<string, (text: string, event: HookEvent) => object>> = {
  claude: forClaude,
  // VS Code reads the same file as Copilot CLI, and each looks elsewhere for the text.
  copilot: (text, event) => ({ additionalContext: text, ...forClaude(text, event) }),
}

export const FORMS = Object.keys(ANSWERS)

/** An unknown form is no reason to fail: the session would be told of it instead of starting. */
export function hookAnswer(
  text: string,
  form = 'claude',
  event: HookEvent = 'SessionStart',
): string {
  return JSON.stringify((ANSWERS[form] ?? forClaude)(text, event))
}

const DEFAULT_SECONDS = 2

/** Ends a hook that takes too long, as if it had nothing to say: what is not known by then is asked for with a tool. */
export function failOpen(context: CommandContext, command: Command): void {
  setTimeout(() => process.exit(0), 1_000 * secondsFor(context, command)).unref()
}

function secondsFor(context: CommandContext, command: Command): number {
  try {
    return context.settings(command).config.hookSeconds
  } catch {
    // Whatever is wrong with the settings is said where the hook uses them.
    return DEFAULT_SECONDS
  }
}

const NAME = 'shown-notes.json'
const MAX_SESSIONS = 50
const HASH = /^[0-9a-f]{16}$/

type Shown = Readonly<Record<string, readonly string[]>>

/** What hooks have already told an agent in a session: nothing is told twice. By hashes, since notes quote what the person asked. */
export function notShownIn(home: string, sessionId: string, notes: readonly string[]): string[] {
  const known = new Set(readShown(home)[sessionId] ?? [])
  return notes.filter((note) => !known.has(hashOf(note)))
}

export function markShown(home: string, sessionId: string, notes: readonly string[]): void {
  if (sessionId === '' || notes.length === 0) return
  const { [sessionId]: before = [], ...others } = readShown(home)
  const kept = Object.entries(others).slice(1 - MAX_SESSIONS)
  const shown = [...new Set([...before, ...notes.map(hashOf)])]
  const all = { ...Object.fromEntries(kept), [sessionId]: shown }
  writeWhole(join(home, NAME), home, `${JSON.stringify(all)}\n`)
}

function readShown(home: string): Shown {
  try {
    const shown = JSON.parse(readFileSync(join(home, NAME), 'utf8')) as Shown
    return Object.fromEntries(
      // Earlier versions stored the notes themselves.
      Object.entries(shown).map(([id, notes]) => [
        id,
        notes.map((one) => (HASH.test(one) ? one : hashOf(one))),
      ]),
    )
  } catch {
    return {}
  }
}

function hashOf(note: string): string {
  return createHash('sha256').update(note).digest('hex').slice(0, 16)
}
