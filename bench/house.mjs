// Call overhead, cold start and memory beside peers, all in one run.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { at, connect, median, timed } from './stdio-client.mjs'

const STARTS = 9
const WARM_UP = 200
const ROUNDS = 12
const CALLS_A_ROUND = 125
const CALLS = ROUNDS * CALLS_A_ROUND

export async function house(root) {
  const peers = join(root, 'bench', 'peers')
  if (!existsSync(join(peers, 'node_modules')))
    spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: peers, stdio: 'inherit' })
  const scratch = mkdtempSync(join(tmpdir(), 'secretary-bench-'))
  const bundled = join(peers, 'bare-v2.bundle.mjs')
  await build({
    entryPoints: [join(peers, 'bare-v2.mjs')],
    outfile: bundled,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
  })
  const project = join(scratch, 'project')
  mkdirSync(join(project, 'src'), { recursive: true })
  writeFileSync(join(project, 'src/ten.ts'), 'const line = 1 // ten kilobytes of it\n'.repeat(270))
  const ours = {
    args: [join(root, 'dist', 'secretary.js'), 'mcp'],
    env: {
      SECRETARY_HOME: join(scratch, 'data'),
      SECRETARY_PROJECT: project,
      SECRETARY_RATE_LIMITS: 'off',
      HOME: join(scratch, 'home'),
    },
  }
  const servers = [
    { name: 'bare SDK v2, bundled', args: [bundled], tool: ['echo', { text: 'x' }] },
    { name: 'secretary', ...ours, tool: ['list_tasks', {}] },
    {
      name: 'secretary, tasks alone',
      ...ours,
      env: { ...ours.env, SECRETARY_FAMILIES: 'tasks' },
      tool: ['list_tasks', {}],
    },
    { name: 'bare SDK v2', args: [join(peers, 'bare-v2.mjs')], tool: ['echo', { text: 'x' }] },
    { name: 'fastmcp', args: [join(peers, 'fastmcp-server.mjs')], tool: ['echo', { text: 'x' }] },
    {
      name: 'server-memory',
      args: [join(peers, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js')],
      env: { MEMORY_FILE_PATH: join(scratch, 'memory.jsonl') },
      tool: ['read_graph', {}],
    },
    { name: 'secretary, read_file of 10 KB', ...ours, tool: ['read_file', { path: 'src/ten.ts' }] },
    {
      name: 'server-filesystem, the same file',
      args: [
        join(peers, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js'),
        project,
      ],
      tool: ['read_text_file', { path: join(project, 'src/ten.ts') }],
    },
  ]
  const rows = []
  // Taken in turns, so that a noisy moment of the machine touches all alike.
  const starts = new Map(servers.map(({ name }) => [name, []]))
  for (let i = 0; i < STARTS; i++) {
    for (const { name, args, env } of servers) {
      const server = await connect(args, { env, cwd: scratch })
      starts.get(name).push(server.coldStartMs)
      await server.close()
    }
  }
  const running = []
  for (const { name, args, env, tool } of servers) {
    const server = await connect(args, { env, cwd: scratch })
    const idleMb = server.rssMb()
    await timed(WARM_UP, () => server.call(...tool))
    running.push({ name, tool, server, idleMb, calls: [] })
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const { server, tool, calls } of running)
      calls.push(...(await timed(CALLS_A_ROUND, () => server.call(...tool))))
  for (const { name, server, idleMb, calls } of running) {
    calls.sort((a, b) => a - b)
    rows.push({
      name,
      coldStartMs: median(starts.get(name)),
      p50Ms: at(calls, 0.5),
      p95Ms: at(calls, 0.95),
      idleMb,
      afterMb: server.rssMb(),
    })
    await server.close()
  }
  const bareNode = median(
    await timed(STARTS, async () => void spawnSync(process.execPath, ['-e', '0'])),
  )
  const add = await addTask(ours, scratch)
  const taskMaster = await addTaskWithTaskMaster(peers, scratch)
  rmSync(scratch, { recursive: true, force: true })
  const base = rows[0]
  return {
    title: 'The house: call overhead and cold start (stdio)',
    header: [
      'server',
      'cold start ms',
      '× bundled bare',
      'call p50 ms',
      '× bundled bare',
      'p95 ms',
      'idle MB',
      'MB after',
    ],
    rows: rows.map((row) => [
      row.name,
      row.coldStartMs.toFixed(0),
      (row.coldStartMs / base.coldStartMs).toFixed(2),
      row.p50Ms.toFixed(3),
      (row.p50Ms / base.p50Ms).toFixed(2),
      row.p95Ms.toFixed(3),
      row.idleMb.toFixed(0),
      row.afterMb.toFixed(0),
    ]),
    notes: [
      `A bare Node process takes ${bareNode.toFixed(0)} ms; tools/list is there after ${(rows[1].coldStartMs / bareNode).toFixed(1)}× that.`,
      `add_task over stdio: p50 ${at(add.outside, 0.5).toFixed(3)} ms seen by the client; inside the server p50 ${add.insideP50Ms?.toFixed(3)} ms.`,
      taskMaster,
    ],
  }
}

async function addTask(ours, scratch) {
  const env = { ...ours.env, SECRETARY_HOME: join(scratch, 'add') }
  const server = await connect(ours.args, { env, cwd: scratch })
  await timed(WARM_UP, (i) => server.call('add_task', { title: `warm ${i}` }))
  const outside = await timed(CALLS, (i) => server.call('add_task', { title: `task ${i}` }))
  await server.close()
  const stats = spawnSync(process.execPath, [ours.args[0], 'stats', '--json'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  return {
    outside,
    insideP50Ms: JSON.parse(stats.stdout).find(({ tool }) => tool === 'add_task')?.p50Ms,
  }
}

/** task-master keeps tasks in one JSON file of the project. */
async function addTaskWithTaskMaster(peers, scratch) {
  const script = join(peers, 'node_modules/task-master-ai/dist/mcp-server.js')
  if (!existsSync(script)) return 'task-master-ai is not installed here.'
  try {
    const server = await connect([script], { env: { TASK_MASTER_TOOLS: 'all' }, cwd: scratch })
    await server.call('initialize_project', {
      projectRoot: scratch,
      skipInstall: true,
      addAliases: false,
      initGit: false,
      storeTasksInGit: false,
      yes: true,
      rules: [],
    })
    const args = (i) => ({
      projectRoot: scratch,
      title: `task ${i}`,
      description: 'd',
      details: 'd',
    })
    const first = await server.call('add_task', args(0))
    if (first.result?.isError)
      return `task-master-ai could not add a task without a model: ${first.result.content[0]?.text.slice(0, 80)}`
    const took = await timed(30, (i) => server.call('add_task', args(i + 1)))
    await server.close()
    return `task-master-ai add_task over stdio: p50 ${at(took, 0.5).toFixed(1)} ms seen by the client.`
  } catch (error) {
    return `task-master-ai did not run: ${error.message}`
  }
}
