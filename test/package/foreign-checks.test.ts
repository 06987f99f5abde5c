import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { loadConfig } from '@secretary-mcp/core/config/config.ts'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { createApp } from '@secretary-mcp/secretary/app/app.ts'
import { type Listening, listen } from '@secretary-mcp/secretary/serve/listen.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foreignTool } from '../support/foreign-tools.ts'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'
import { mountFixtures } from '../support/mount-fixtures.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
const MINUTES = 60_000

describe('the MCP conformance suite', () => {
  let listening: Listening
  let close: () => Promise<void>

  beforeAll(async () => {
    const folder = temporaryFolder()
    const app = await createApp(
      loadConfig({
        env: { SECRETARY_HOME: folder, SECRETARY_PORT: '0', SECRETARY_AUTH: 'off' },
        cwd: folder,
      }).config,
      silentLog,
    )
    listening = await listen(app, { mount: mountFixtures })
    close = async () => {
      await listening.close()
      await app.close()
    }
  })
  afterAll(() => close())

  it('passes every required scenario of 2026-07-28 on the real stack', {
    timeout: 5 * MINUTES,
  }, async () => {
    const out = temporaryFolder()
    const args = [
      foreignTool('conformance'),
      'server',
      '--url',
      `${listening.url}/mcp`,
      '--requirements',
      '2026-07-28',
      '-o',
      out,
    ]
    const { stdout } = await run(foreignTool('node'), args, { cwd: out, maxBuffer: 1e8 }).catch(
      (error: { stdout: string }) => error,
    )
    const [scored = '', unscored = ''] = (stdout.split('=== SUMMARY ===')[1] ?? '').split(
      'Not scored for',
    )
    const optional = new Set([...unscored.matchAll(/[✓✗] (\S+) \(/g)].map(([, name]) => name))
    const scenarios = [...scored.matchAll(/([✓✗]) ([\w-]+): \d+ passed/g)]
      .map(([, mark, name]) => ({ mark, name }))
      .filter(({ name }) => !optional.has(name))
    expect(scenarios.filter(({ mark }) => mark !== '✓')).toEqual([])
    expect(scenarios.length).toBeGreaterThanOrEqual(37)
  })
})

it('mcpb accepts the manifest of the bundle', async () => {
  const bundle = fileURLToPath(new URL('../../plugins/claude-desktop', import.meta.url))
  const { stdout } = await run(foreignTool('node'), [foreignTool('mcpb'), 'validate', bundle])
  expect(stdout).toContain('Manifest schema validation passes')
})

it('the linter of Dockerfiles finds nothing', async () => {
  const file = fileURLToPath(new URL('../../Dockerfile', import.meta.url))
  const { stdout } = await run(foreignTool('node'), [
    foreignTool('dockerfilelint'),
    '--output',
    'json',
    file,
  ])
  expect(JSON.parse(stdout).totalIssues, stdout).toBe(0)
})

it('the Inspector lists the tools strictly', { timeout: 5 * MINUTES }, async () => {
  const args = [
    foreignTool('mcp-inspector'),
    '--cli',
    process.execPath,
    binary,
    'mcp',
    '--method',
    'tools/list',
    '--strict',
  ]
  const { stdout } = await run(foreignTool('node'), args, {
    env: isolatedEnvironment(),
    maxBuffer: 1e8,
  })
  const { tools: listed } = JSON.parse(stdout) as {
    tools: { name: string; inputSchema: { type: string } }[]
  }
  expect(listed.map(({ name }) => name)).toContain('add_task')
  expect(listed.every(({ inputSchema }) => inputSchema.type === 'object')).toBe(true)
})
