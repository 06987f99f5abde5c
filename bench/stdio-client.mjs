// A bare JSON-RPC client over stdio: it adds as little as can be to what is measured.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const TIMEOUT_MS = 30_000

export async function connect(
  args,
  { env = {}, cwd = process.cwd(), command = process.execPath } = {},
) {
  const started = performance.now()
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    cwd,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map()
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('{')) return
    const message = JSON.parse(line)
    waiting.get(message.id)?.(message)
    waiting.delete(message.id)
  })
  let id = 0
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} took too long`)), TIMEOUT_MS)
      waiting.set(++id, (message) => {
        clearTimeout(timer)
        resolve(message)
      })
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  const gone = new Promise((_, reject) =>
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`))),
  )
  gone.catch(() => {})
  await Promise.race([
    gone,
    request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    }),
  ])
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  const { result } = await request('tools/list', {})
  return {
    coldStartMs: performance.now() - started,
    tools: result.tools,
    call: (name, args) => request('tools/call', { name, arguments: args }),
    rssMb: () =>
      Number(
        /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? Number.NaN,
      ) / 1024,
    close: () =>
      new Promise((resolve) => {
        child.once('exit', resolve)
        child.stdin.end()
        setTimeout(() => child.kill(), 2000).unref()
      }),
  }
}

export async function timed(times, work) {
  const took = []
  for (let i = 0; i < times; i++) {
    const started = performance.now()
    await work(i)
    took.push(performance.now() - started)
  }
  return took.sort((a, b) => a - b)
}

export const at = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
export const median = (values) =>
  at(
    [...values].sort((a, b) => a - b),
    0.5,
  )
