import { Option } from 'commander'
import type { JsonSchema } from '@secretary-mcp/core/json-schema.ts'

/** `filePattern` and `task_id` as people type them: `file-pattern`, `task-id`. */
export function flagName(argument: string): string {
  return argument.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The flag of one argument. The tool's own check says what is wrong with a value. */
export function toolOption(flag: string, schema: JsonSchema): Option {
  const { type, description = '', default: fallback } = schema
  const known = fallback === undefined || fallback === false ? '' : ` (default: ${fallback})`
  const text = `${description}${known}`
  if (type === 'boolean') return new Option(fallback === true ? `--no-${flag}` : `--${flag}`, text)
  if (type === 'integer' || type === 'number')
    return new Option(`--${flag} <number>`, text).argParser(numberOr)
  if (type === 'array') return new Option(`--${flag} <text...>`, text)
  const values = Array.isArray(schema.enum) ? schema.enum.join('|') : 'text'
  return new Option(`--${flag} <${values}>`, text)
}

/** What is not a number goes on as it is, for the check to name it. */
export function numberOr(text: string): number | string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
}
