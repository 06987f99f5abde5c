import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { version } from '@secretary-mcp/secretary/version.ts'
import { expect, it } from 'vitest'
import { isolatedEnvironment } from '../support/mcp-client.ts'
import { runProgram } from '../support/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const mcpb = join(root, 'test/tools/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js')
const platform = `${process.platform}-${process.arch}`
const env = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
)

/** All but the extension, which `npm run package:vscode` makes in the same way, and for this platform alone. */
it('makes what a release publishes, with checksums, and the bundle serves', async () => {
  const out = temporaryFolder()
  const args = ['--dry-run', '--only', 'npm,plugins,mcpb', '--platforms', platform, '--out', out]
  const { status, stdout, stderr } = await runProgram(
    process.execPath,
    ['scripts/release.mjs', ...args],
    { cwd: root, env },
  )
  expect(status, stderr).toBe(0)
  expect(stdout).toContain(`npm publish secretary-mcp-secretary-${version}.tgz`)

  const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
  expect(sums.map((line) => line.split('  ')[1])).toEqual([
    `secretary-mcp-secretary-${version}.tgz`,
    `secretary-plugins-${version}.tar.gz`,
    `secretary-skill-${version}.tar.gz`,
    'darwin.secretary.tar.gz',
    'linux.secretary.tar.gz',
    'win32.secretary.tar.gz',
    `secretary-${version}-${platform}.mcpb`,
  ])
  for (const [sum, file = ''] of sums.map((line) => line.split('  ')))
    expect(
      createHash('sha256')
        .update(readFileSync(join(out, file)))
        .digest('hex'),
    ).toBe(sum)

  const folder = join(out, 'unpacked')
  const bundle = join(out, `secretary-${version}-${platform}.mcpb`)
  expect(
    (await runProgram(process.execPath, [mcpb, 'unpack', bundle, folder], { env })).status,
  ).toBe(0)
  const { server } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  const project = join(out, 'project')
  mkdirSync(project)
  const filled = (server.mcp_config.args as string[]).map((arg) =>
    arg.replace(/\$\{__dirname\}/, folder).replace(/\$\{user_config\.project\}/, project),
  )
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: filled,
      env: isolatedEnvironment({ SECRETARY_PROJECT: undefined }),
      cwd: '/',
      stderr: 'pipe',
    }),
  )
  const { content } = await client.callTool({ name: 'list_tasks', arguments: {} })
  await client.close()
  expect(JSON.stringify(content)).toContain('tasks')
})

it('publishes nothing by mistake', async () => {
  const args = ['scripts/release.mjs']
  const { status, stderr } = await runProgram(process.execPath, args, { cwd: root, env })
  expect(status).toBe(2)
  expect(stderr).toContain('--dry-run')
})
