import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Config,
  ConfigError,
  type Loaded,
  loadConfig,
} from '@secretary-mcp/core/config/config.ts'
import { environment } from '@secretary-mcp/core/config/environment.ts'
import { defaultHome, fields } from '@secretary-mcp/core/config/fields.ts'
import type { Command } from 'commander'
import type { App, createApp } from '../app/app.ts'
import type { Memory } from '../app/memory.ts'
import { ownDialog } from '../dialogs/own-dialog.ts'
import type { Terminal } from './terminal.ts'

/** What every command gets: a terminal, the settings, and an app when it asks for one. */
export interface CommandContext {
  readonly terminal: Terminal
  settings(command: Command, overrides?: Readonly<Record<string, unknown>>): Loaded
  /** Runs with an app and closes it, whatever happens. */
  withApp<T>(command: Command, work: (app: App) => Promise<T>, options?: AppOptions): Promise<T>
  /** The same for a hook, which an agent waits for: no tool, chat or server is loaded. */
  withMemory<T>(
    command: Command,
    work: (memory: Memory) => Promise<T>,
    overrides: AppOptions['overrides'],
  ): Promise<T>
}

interface AppOptions {
  readonly overrides?: Readonly<Record<string, unknown>>
  /** No log unless a level was asked for. */
  readonly quiet?: boolean
  /** To PostgreSQL, at most; a server for many needs more than a command. */
  readonly connections?: number
  /** Traces and metrics go to the collector that was configured. */
  readonly isObserved?: boolean
}

/** Registers one command, or a group of them, on the program. */
export type RegisterCommand = (program: Command, context: CommandContext) => void

/** A command ends with its answer: what is read later is of no use to it. */
const COMMAND_PATIENCE_MS = 60_000

/** A mistake of the person at the terminal: one line, no stack, exit code 2. */
export class UsageError extends Error {}

export function createCommandContext(terminal: Terminal): CommandContext {
  const settings: CommandContext['settings'] = (command, overrides = {}) => {
    const flags = { ...command.optsWithGlobals(), ...overrides }
    const env = environment()
    return loadConfig({
      env,
      cwd: process.cwd(),
      flags,
      file: readConfigFile(String(flags.home ?? env[fields.home.env] ?? '')),
    })
  }
  return {
    terminal,
    settings,
    async withApp(command, work, { overrides, quiet = true, connections, isObserved } = {}) {
      const { config, origins } = settings(command, overrides)
      const app = await openApp(quiet ? forPerson(config, origins) : config, {
        connections,
        isObserved,
        patienceMs: quiet ? COMMAND_PATIENCE_MS : undefined,
      })
      return useAndClose(app, work)
    },
    async withMemory(command, work, overrides) {
      const { createMemory } = await import('../app/memory.ts')
      const { config, origins } = settings(command, overrides)
      const options = { patienceMs: COMMAND_PATIENCE_MS }
      return useAndClose(await createMemory(forPerson(config, origins), undefined, options), work)
    },
  }
}

/** A person reads the answer itself, and what an agent runs as a command is about that agent's dialog. */
function forPerson(config: Config, origins: Loaded['origins']): Config {
  return {
    ...config,
    session: config.session ?? ownDialog(config)(),
    // The log is for servers, and for those who ask.
    logLevel: origins.logLevel === 'default' ? 'silent' : config.logLevel,
  }
}

async function useAndClose<A extends { close(): Promise<void> }, T>(
  opened: A,
  work: (opened: A) => Promise<T>,
): Promise<T> {
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

/** The whole app loads only for commands that use it. */
export async function openApp(
  config: Config,
  options: Parameters<typeof createApp>[2] = {},
): Promise<App> {
  const { createApp } = await import('../app/app.ts')
  return createApp(config, undefined, options)
}

function readConfigFile(home: string): Record<string, unknown> {
  const path = join(home ? fields.home.schema.parse(home) : defaultHome(), 'config.json')
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return {}
    throw new ConfigError([`${path}: cannot be read (${code})`])
  }
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
  } catch {
    // Told below, in one form for everything that is not an object.
  }
  throw new ConfigError([`${path}: must hold one JSON object`])
}
