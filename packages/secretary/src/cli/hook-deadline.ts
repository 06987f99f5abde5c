import type { Command } from 'commander'
import type { CommandContext } from './command-context.ts'

const DEFAULT_SECONDS = 2

/** Ends a hook that takes too long, as if it had nothing to say: what is not known by then is asked for with a tool. */
export function failOpen(context: CommandContext, command: Command): void {
  setTimeout(() => process.exit(0), 1_000 * secondsFor(context, command)).unref()
}

function secondsFor(context: CommandContext, command: Command): number {
  try {
    return context.settings(command).config.hookSeconds
  } catch {
    // Whatever is wrong with the settings is said where the hook uses them.
    return DEFAULT_SECONDS
  }
}
