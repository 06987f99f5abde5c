import type { Command } from 'commander'
import type { Tool } from '@secretary-mcp/core/tool.ts'
import { flagName } from './tool-option.ts'

interface Exemplified {
  readonly tool: Tool
  readonly positional?: readonly string[]
  readonly flags?: Readonly<Record<string, string>>
  readonly sets?: Readonly<Record<string, unknown>>
}

/** The examples of a tool as a person would type them. */
export function commandExample(
  command: Command,
  { tool, positional = [], flags = {}, sets }: Exemplified,
): string {
  const places = positional.map((place) => place.replace(/\.\.\.$/, ''))
  const isOfCommand = (args: object) =>
    sets === undefined || Object.keys(args).every((name) => places.includes(name) || name in sets)
  const lines = tool.examples
    .filter(({ args }) => isOfCommand(args))
    .map(({ args, shows }) => {
      const words = places.flatMap((name) => (name in args ? [quoted(args[name])] : []))
      const named = Object.entries(args).filter(
        ([name]) => !places.includes(name) && !(sets && name in sets),
      )
      const options = named.flatMap(([name, value]) => {
        const flag = `--${flags[name] ?? flagName(name)}`
        if (value === true) return [flag]
        return value === false ? [] : [flag, ...[value].flat().map(quoted)]
      })
      return `  ${[pathOf(command), ...words, ...options].join(' ')}\n      ${shows}`
    })
  return lines.length > 0 ? `\nExamples:\n${lines.join('\n')}` : ''
}

export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

function quoted(value: unknown): string {
  const text = String(value)
  return /^[\w./,:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
