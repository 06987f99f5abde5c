import { statSync } from 'node:fs'
import type { App } from '../../app.ts'
import { examine, type Health, type HealthCheck } from '../../core/health-check.ts'
import { clientChecks } from '../clients/client-health.ts'
import type { Surroundings } from '../clients/clients.ts'
import type { RegisterCommand } from '../command-context.ts'

const MARK = { good: '✓', warning: '!', bad: '✗' } as const
const COLOUR = { good: 'green', warning: 'yellow', bad: 'red' } as const

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
          for (const { name, state, detail, mend } of found) {
            terminal.print(`${terminal.style(COLOUR[state], MARK[state])} ${name}: ${detail}`)
            if (mend) terminal.print(`    ${mend}`)
          }
        }
        if (found.some(({ state }) => state === 'bad')) process.exitCode = 1
      }),
    )
}

function surroundings({ config: { userHome: homeFolder, project } }: App): Surroundings {
  return { homeFolder, platform: process.platform, project }
}

function environmentChecks({ config, noProject }: App): HealthCheck[] {
  return [
    { name: 'node', run: async () => nodeHealth(process.versions.node) },
    { name: 'project', run: async () => projectHealth(config.project, noProject) },
  ]
}

function nodeHealth(version: string): Health {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return { state: 'good', detail: version }
  return { state: 'bad', detail: `${version} is too old`, mend: 'Install Node 20.19 or later.' }
}

function projectHealth(project: string, noProject?: string): Health {
  if (noProject)
    return { state: 'warning', detail: noProject, mend: 'The other tool families work.' }
  const isFolder = statSync(project, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (!isFolder)
    return {
      state: 'bad',
      detail: `${project} is not a folder`,
      mend: 'Give the root of your project with --project or SECRETARY_PROJECT.',
    }
  return { state: 'good', detail: project }
}
