// Fifty people chatting at once against a mock model, none in step with another: what is measured is our share of an answer,
// everything but the model's own time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { at } from './stdio-client.mjs'

const CONCURRENT = 50
const ROUNDS = 4
const MODEL_MS = 1000

export async function chat(root) {
  const scratch = mkdtempSync(join(tmpdir(), 'secretary-bench-chat-'))
  const project = join(scratch, 'project')
  mkdirSync(project)
  const model = await startModel()
  const env = {
    ...process.env,
    SECRETARY_HOME: join(scratch, 'home'),
    SECRETARY_PROJECT: project,
    SECRETARY_MODEL: 'mock',
    SECRETARY_MODEL_URL: model.url,
    SECRETARY_RATE_LIMITS: 'off',
  }
  const server = spawn(
    process.execPath,
    [join(root, 'dist', 'secretary.js'), 'serve', '--port', '0', '--auth', 'off'],
    {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const url = await new Promise((resolve) => {
    createInterface({ input: server.stdout }).on('line', (line) => {
      const found = /page\s+(http:\S+?)\/?$/.exec(line)?.[1]
      if (found) resolve(found)
    })
  })
  const shares = []
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(
      Array.from({ length: CONCURRENT }, async (_, i) => {
        const key = `r${round}c${i}`
        await new Promise((later) => setTimeout(later, (i / CONCURRENT) * 2 * MODEL_MS))
        const started = performance.now()
        const response = await fetch(`${url}/api/v1/chat`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ message: key }),
        })
        await response.json()
        const total = performance.now() - started
        if (round > 0) shares.push(total - model.spent(key))
      }),
    )
  }
  server.kill('SIGTERM')
  await once(server, 'exit')
  model.close()
  rmSync(scratch, { recursive: true, force: true })
  shares.sort((a, b) => a - b)
  return {
    title: 'Chat: our share of an answer, 50 at once',
    header: ['chats', 'model calls each', 'p50 ms', 'p95 ms', 'p99 ms'],
    rows: [
      [
        String(shares.length),
        '2',
        at(shares, 0.5).toFixed(1),
        at(shares, 0.95).toFixed(1),
        at(shares, 0.99).toFixed(1),
      ],
    ],
    notes: [
      `Each chat asks the mock twice (${MODEL_MS} ms each) and adds a task in between; the mock runs in the same process as the load, on the same cores.`,
    ],
  }
}

async function startModel() {
  const spent = new Map()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const started = performance.now()
    const { messages } = JSON.parse(text)
    const key = messages.find(({ role }) => role === 'user')?.content
    await new Promise((later) => setTimeout(later, MODEL_MS))
    const delta = messages.some(({ role }) => role === 'tool')
      ? { content: 'Done.' }
      : {
          tool_calls: [
            {
              index: 0,
              id: 'c',
              type: 'function',
              function: { name: 'add_task', arguments: JSON.stringify({ title: key }) },
            },
          ],
        }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\ndata: [DONE]\n\n`,
      () => spent.set(key, (spent.get(key) ?? 0) + performance.now() - started),
    )
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    spent: (key) => spent.get(key) ?? 0,
    close: () => server.close(),
  }
}
