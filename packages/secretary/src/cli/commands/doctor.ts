import { statSync } from 'node:fs'
import { examine, type Health, type HealthCheck } from '@secretary-mcp/core/health-check.ts'
import { placesOf } from '@secretary-mcp/transcripts/places.ts'
import type { App } from '../../app/app.ts'
import type { Surroundings } from '../clients/client.ts'
import { clientChecks } from '../clients/client-health.ts'
import type { RegisterCommand } from '../command-context.ts'
import { cutToWidth } from '../text-width.ts'

const MARK = { ok: '✓', warning: '!', failing: '✗' } as const
/** Of one finding on a screen; `--json` has all of it. */
const MOST_LINES = 3
const COLOUR = { ok: 'green', warning: 'yellow', failing: 'red' } as const

export const registerDoctor: RegisterCommand = (program, context) => {
  program
    .command('doctor')
    .description('check this installation and show how to fix problems')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }, command) =>
      context.withApp(command, async (app) => {
        const { terminal } = context
        const found = await examine([
          ...environmentChecks(app),
          ...app.healthChecks,
          ...clientChecks(surroundings(app)),
        ])
        if (options.json) terminal.print(JSON.stringify(found))
        else {
          for (const { name, state, detail, fix } of found) {
            terminal.print(
              `${terminal.style(COLOUR[state], MARK[state])} ${name}: ${cutToWidth(detail, MOST_LINES * terminal.columns)}`,
            )
            if (fix) terminal.print(`    ${fix}`)
          }
        }
        if (found.some(({ state }) => state === 'failing')) process.exitCode = 1
      }),
    )
}

function surroundings({ config }: App): Surroundings {
  return { ...placesOf(config), project: config.project }
}

function environmentChecks({ config, noProject }: App): HealthCheck[] {
  return [
    { name: 'node', run: async () => nodeHealth(process.versions.node) },
    { name: 'project', run: async () => projectHealth(config.project, noProject) },
  ]
}

function nodeHealth(version: string): Health {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return { state: 'ok', detail: version }
  return { state: 'failing', detail: `${version} is too old`, fix: 'Install Node 20.19 or later.' }
}

function projectHealth(project: string, noProject?: string): Health {
  if (noProject)
    return { state: 'warning', detail: noProject, fix: 'The other tool families work.' }
  const isFolder = statSync(project, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (!isFolder)
    return {
      state: 'failing',
      detail: `${project} is not a folder`,
      fix: 'Give the root of your project with --project or SECRETARY_PROJECT.',
    }
  return { state: 'ok', detail: project }
}
