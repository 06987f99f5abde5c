import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { environment } from '@secretary-mcp/core/config/environment.ts'
import type { Health, HealthCheck } from '@secretary-mcp/core/health-check.ts'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import { ownHookCommand, recallHooks } from './agent-hooks.ts'
import { type Client, isInstalled, type Surroundings } from './client.ts'
import { clients } from './clients.ts'
import { foreignEntries, readConfiguration } from './planned-edit.ts'
import { ownCommand } from './server-entry.ts'

const MAX_SHOWN = 500

/** Whether each agent on this machine can start us, tried out; those that are not here are one line together. */
export function clientChecks(around: Surroundings): HealthCheck[] {
  const here = clients.filter((client) => isInstalled(client, around))
  const absent = clients.filter((client) => !here.includes(client))
  return [
    ...here.map((client) => ({
      name: client.label,
      run: async () => clientHealth(client, around),
    })),
    ...(absent.length > 0
      ? [{ name: 'other agents', run: async () => absentHealth(absent, around) }]
      : []),
  ]
}

function absentHealth(absent: readonly Client[], around: Surroundings): Health {
  return {
    state: 'ok',
    detail: `not on this machine: ${absent.map(({ label }) => label).join(', ')}`,
    places: absent.flatMap((client) => client.traces(around)),
  }
}

async function clientHealth(client: Client, around: Surroundings): Promise<Health> {
  const add = `\`secretary init --client ${client.id}\` shows what to add, and asks.`
  const own = client.file(around)
  const shared = client.sharedFile?.(around.project)
  const found = [own, ...(shared ? [shared] : [])].map((file) => ({
    file,
    ...entryIn(client, file, around.project),
  }))
  const foreign = found.find(({ state }) => state === 'foreign')
  if (foreign)
    return {
      state: 'warning',
      detail: `found; ${foreign.file} has an entry named secretary that Secretary did not write: ${foreign.entry}`,
      fix: `If you did not write it, remove it. \`secretary init --client ${client.id}\` shows what belongs there.`,
    }
  const ours = found.find(({ state }) => state === 'ours')
  if (ours?.command) return provenHealth(client, around, ours.file, ours.command)
  const unreadable = found.find(({ state }) => state === 'unreadable')
  if (unreadable)
    return { state: 'warning', detail: `found; ${unreadable.file} cannot be read`, fix: add }
  return { state: 'warning', detail: `found; ${own} has no entry for Secretary`, fix: add }
}

/** The command was compared with ours before: nothing else is ever run. */
async function provenHealth(
  client: Client,
  around: Surroundings,
  file: string,
  command: readonly string[],
): Promise<Health> {
  const fix = `\`secretary init --undo --client ${client.id}\`, then \`secretary init --client ${client.id}\`, writes it again.`
  const proof = await proveServer(command, around.project)
  if (!proof.works)
    return { state: 'failing', detail: `${file} starts Secretary, but ${proof.reason}`, fix }
  const hook = ownHookOf(client, around)
  const problem = hook && (await proveHook(hook, around.project))
  if (problem) return { state: 'failing', detail: `${file} starts Secretary, but ${problem}`, fix }
  return {
    state: 'ok',
    detail: `connected: ${proof.tools} tools${hook ? '; its hook runs' : ''} (${file})`,
  }
}

/** The command of our hook in the agent's own settings, if it is there. */
function ownHookOf(client: Client, around: Surroundings): string | undefined {
  const hook = recallHooks[client.id]?.(ownCommand())
  if (!hook) return undefined
  try {
    return ownHookCommand(readConfiguration(hook.own(around)))
  } catch {
    return undefined
  }
}

interface EntryFound {
  readonly state: 'none' | 'ours' | 'foreign' | 'unreadable'
  /** As it may be shown: a repository may have written it. */
  readonly entry?: string
  /** What ours starts. */
  readonly command?: readonly string[]
}

/** The words of an entry's command; agents name the program and its arguments in one list or in two. */
function wordsOf(entry: unknown, project: string): string[] {
  const { command, args = [] } = entry as { command: string | string[]; args?: string[] }
  return [command, args].flat().map((word) => word.replace(/^\$\{\w+\}$/, project))
}

function entryIn(client: Client, file: string, project: string): EntryFound {
  try {
    const text = readConfiguration(file)
    const [foreign] = foreignEntries(text, client, project)
    if (foreign !== undefined)
      return {
        state: 'foreign',
        entry: quoteLine(JSON.stringify(foreign) ?? '').slice(0, MAX_SHOWN),
      }
    const [ours] = client.form.found(text)
    return ours === undefined
      ? { state: 'none' }
      : { state: 'ours', command: wordsOf(ours, project) }
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return { state: isMissing ? 'none' : 'unreadable' }
  }
}

/** A start that has to build nothing takes less than a second; a slow machine gets its time. */
const TIMEOUT_MS = 20_000
const MAX_REASON = 300

type Proof =
  | { readonly works: true; readonly tools: number }
  | { readonly works: false; readonly reason: string }

/** Starts a server as an agent would, completes the handshake and lists its tools. */
async function proveServer(
  [command = '', ...args]: readonly string[],
  cwd: string,
): Promise<Proof> {
  const child = spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] })
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS)
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, MAX_REASON)
  })
  child.stdin.on('error', () => {})
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const failed = new Promise<Proof>((resolve) => {
    child.once('error', () => resolve({ works: false, reason: 'it could not be started' }))
    child.once('close', () =>
      resolve({ works: false, reason: complaint.trim().split('\n')[0] || 'it ended at once' }),
    )
  })
  const answered = new Promise<Proof>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const answer = parseAnswer(line)
      if (!answer) return resolve({ works: false, reason: 'it prints more than the protocol' })
      if (answer.id === 1) {
        send({ method: 'notifications/initialized' })
        send({ id: 2, method: 'tools/list' })
      }
      if (answer.id === 2) resolve({ works: true, tools: answer.result?.tools?.length ?? 0 })
    })
  })
  const clientInfo = { name: 'secretary-doctor', version: '1' }
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  })
  const proof = await Promise.race([answered, failed])
  clearTimeout(timer)
  child.kill('SIGKILL')
  return proof
}

interface Answer {
  readonly id?: number
  readonly result?: { readonly tools?: readonly object[] }
}

function parseAnswer(line: string): Answer | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Runs a hook's command as an agent would, for no session in particular; what is wrong with it, if anything. */
async function proveHook(command: string, cwd: string): Promise<string | undefined> {
  const child = spawn(command, {
    cwd,
    shell: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...environment(), CLAUDE_PROJECT_DIR: cwd },
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS)
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  child.stdin.on('error', () => {})
  child.stdin.end('{}')
  const status = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  clearTimeout(timer)
  if (status !== 0) return `its hook ended with ${status ?? 'no exit code'}`
  return printed.trim() === '' || parseAnswer(printed)
    ? undefined
    : 'its hook prints more than an answer'
}
