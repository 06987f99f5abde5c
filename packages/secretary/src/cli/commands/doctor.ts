import { statSync } from 'node:fs'
import { examine, type Health, type HealthCheck } from '@secretary-mcp/core/health-check.ts'
import { placesOf } from '@secretary-mcp/transcripts/places.ts'
import type { App } from '../../app/app.ts'
import type { Surroundings } from '../clients/client.ts'
import { clientChecks } from '../clients/client-health.ts'
import type { RegisterCommand } from '../command-context.ts'
import type { Terminal } from '../terminal.ts'
import { cutToWidth } from '../visible-text.ts'

const MARK = { ok: '✓', warning: '!', failing: '✗' } as const
/** Of one finding on a screen; `--json` has all of it. */
const MAX_LINES = 3
const COLOUR = { ok: 'green', warning: 'yellow', failing: 'red' } as const

export const registerDoctor: RegisterCommand = (program, context) => {
  program
    .command('doctor')
    .description('check this installation and show how to fix problems')
    .option('--json', 'as JSON')
    .option('--verbose', 'name every place that was searched')
    .option('--fix', 'repair what can be repaired without a question')
    .action((options: Options, command) =>
      context.withApp(command, async (app) => {
        const { terminal } = context
        const checks = [
          ...environmentChecks(app),
          ...app.healthChecks,
          ...clientChecks(surroundings(app)),
        ]
        let found = await examine(checks)
        if (options.fix) {
          for (const line of await repair(checks, found)) terminal.note(line)
          found = await examine(checks)
        }
        if (options.json) terminal.print(JSON.stringify(found))
        else for (const finding of found) printFinding(finding, options, terminal)
        if (found.some(({ state }) => state === 'failing')) process.exitCode = 1
      }),
    )
}

interface Options {
  readonly json?: boolean
  readonly verbose?: boolean
  readonly fix?: boolean
}

type Finding = Awaited<ReturnType<typeof examine>>[number]

async function repair(
  checks: readonly HealthCheck[],
  found: readonly Finding[],
): Promise<string[]> {
  const lines: string[] = []
  for (const check of checks) {
    const isWrong = found.some(({ name, state }) => name === check.name && state !== 'ok')
    if (isWrong && check.repair) lines.push(`${check.name}: ${await check.repair()}`)
  }
  return lines
}

function printFinding(
  { name, state, detail, fix, places = [] }: Finding,
  { verbose }: Options,
  terminal: Terminal,
): void {
  const text = cutToWidth(detail, MAX_LINES * terminal.columns)
  terminal.print(`${terminal.style(COLOUR[state], MARK[state])} ${name}: ${text}`)
  if (fix) terminal.print(`    ${fix}`)
  if (verbose) for (const place of places) terminal.print(`    searched ${place}`)
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
