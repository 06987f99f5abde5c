// Makes each call once on a machine with a project and a dialog, and reports what ran for it. `scripts/walk.mjs` runs it.
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { loadConfig } from '@secretary-mcp/core/config/config.ts'
import { configureEnvironment } from '@secretary-mcp/core/config/environment.ts'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { createApp } from '@secretary-mcp/secretary/app/app.ts'
import { AgentsHome } from '../test/support/agents-home.ts'
import { keepWorkedDialog } from '../test/support/worked-dialog.ts'
import { queries } from './counted-sqlite.ts'

const CALLS = [
  ['add_task', { title: 'Sort by date' }],
  ['context_search', { query: 'where are tokens refreshed' }],
  ['recall', {}],
] as const

/** Of a call's first few repetitions the shortest counts: what loads, opens or reads the disk anew is another's walk. */
const REPEATED = 5

export async function walkCalls(home: AgentsHome) {
  configureEnvironment()
  const { config } = loadConfig({ env: { ...home.env, SECRETARY_USER: 'ada' }, cwd: home.project })
  const app = await createApp(config, silentLog)
  const finalName = (name: string) =>
    [...app.tools.values()].find(({ tool }) => tool.name === name)?.name ?? name
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const walks = []
  for (const [name, args] of CALLS) {
    for (let time = 0; time <= REPEATED; time++) {
      await session.post('Profiler.takePreciseCoverage')
      queries.splice(0)
      const { result } = await app.boundary.call(finalName(name), args, app.localCaller)
      await app.boundary.settled()
      const made = [...queries]
      const { result: scripts } = await session.post('Profiler.takePreciseCoverage')
      if (!result.success) throw new Error(`${name}: ${result.error}`)
      if (time > 0) walks.push({ name, queries: made, scripts })
    }
  }
  session.disconnect()
  await app.close()
  return walks
}

/** A machine with a project and a dialog about it. */
export function furnish(folder: string): AgentsHome {
  const home = new AgentsHome(folder)
  home.write(
    join(home.project, 'src/tokens.ts'),
    'export function refreshToken(old: string) {\n  return old\n}\n',
  )
  home.write(join(home.project, 'README.md'), '# Shop\n\nTokens are refreshed on login.\n')
  keepWorkedDialog(
    home,
    'walk',
    [
      {
        ask: 'Refresh the tokens on login',
        acts: [
          { write: 'src/tokens.ts', text: 'export const tokens = 1\n' },
          { run: 'npm test', output: '1 passed' },
        ],
        says: 'Done.',
        minutesAgo: 10,
      },
      {
        ask: 'Now write that into the README',
        acts: [{ write: 'README.md', text: '# Shop\n' }],
        says: 'Done.',
        minutesAgo: 5,
      },
    ],
    { lastAt: Date.now() - 60_000 },
  )
  return home
}
