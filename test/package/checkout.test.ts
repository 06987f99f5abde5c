import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { emptyMachine, toolsOf } from '../support/empty-machine.ts'
import { realRegistry } from '../support/package-registry.ts'
import { checkOutInto } from '../support/published-repository.ts'
import { runProgram } from '../support/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MINUTES = 60_000
let server: ChildProcess
let said = ''
const checkout = join(temporaryFolder(), 'secretary')
const { env, project } = emptyMachine(realRegistry())

/** What the README says to type in a checkout, typed in one. */
beforeAll(async () => {
  mkdirSync(checkout)
  checkOutInto(checkout)
  const around = { ...env, PATH: process.env.PATH ?? '', SECRETARY_PORT: '0' }
  server = spawn('sh', ['-c', 'npm ci --no-audit --no-fund && npm start'], {
    cwd: checkout,
    env: { ...around, SECRETARY_PROJECT: project },
    detached: true,
  })
  for (const stream of [server.stdout, server.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  const until = { timeout: 5 * MINUTES, interval: 500 }
  await vi.waitFor(() => expect(said).toMatch(/Press Ctrl-C|npm error/), until)
}, 6 * MINUTES)
afterAll(() => {
  if (server.pid) process.kill(-server.pid, 'SIGKILL')
})

const printed = (pattern: RegExp) => pattern.exec(said)?.[1] ?? ''

it('prints the address of the page, which opens', async () => {
  const page = await fetch(printed(/page {2}(\S+)/))
  expect(page.status, said).toBe(200)
  expect(await page.text()).toContain('<title>Secretary')
})

it('prints the MCP address and a snippet whose token opens it', async () => {
  const { url, headers } = JSON.parse(printed(/over HTTP:\s+(\{.*\})/)).mcpServers.secretary
  expect(url, said).toBe(printed(/MCP {3}(\S+)/))
  const connect = async (requestInit: object) => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
    const { tools } = await client.listTools()
    await client.close()
    return tools.map(({ name }) => name)
  }
  expect(headers.Authorization).toMatch(/^Bearer [\w-]{43}$/)
  expect(await connect({ headers })).toContain('add_task')
  await expect(connect({})).rejects.toThrow()
})

it('prints a snippet for a client that starts the server itself', async () => {
  const { secretary } = JSON.parse(printed(/itself:\s+(\{.*\})/)).mcpServers
  expect(await toolsOf(secretary, env, '/')).toContain('add_task')
})

it('ends a run of tests with the line that counts them', { timeout: 2 * MINUTES }, async () => {
  const { status, stdout } = await runProgram(
    'npm',
    ['test', '--', 'packages/secretary/src/cli/table.test.ts'],
    {
      cwd: checkout,
      env: { ...env, PATH: process.env.PATH ?? '' },
    },
  )
  expect(status, stdout).toBe(0)
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^[1-9]\d* passed, 0 failed$/)
})
