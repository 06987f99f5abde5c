import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { environment } from '@secretary-mcp/core/config/environment.ts'

/** A start that has to build nothing takes less than a second; a slow machine gets its time. */
const TIMEOUT_MS = 20_000
const MAX_REASON = 300

export type Proof =
  | { readonly works: true; readonly tools: number }
  | { readonly works: false; readonly reason: string }

/** Starts a server as an agent would, completes the handshake and lists its tools. */
export async function proveServer(
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
export async function proveHook(command: string, cwd: string): Promise<string | undefined> {
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
