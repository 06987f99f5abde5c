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

/** A call is counted when it is made a second time: the first one loads and opens what all later ones use. */
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
    for (const time of ['first', 'second']) {
      await session.post('Profiler.takePreciseCoverage')
      queries.splice(0)
      const { result } = await app.boundary.call(finalName(name), args, app.localCaller)
      await app.boundary.settled()
      const made = [...queries]
      const { result: scripts } = await session.post('Profiler.takePreciseCoverage')
      if (!result.success) throw new Error(`${name}: ${result.error}`)
      walks.push({ name, time, queries: made, scripts })
    }
  }
  session.disconnect()
  await app.close()
  return walks
}

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
