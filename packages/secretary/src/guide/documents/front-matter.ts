import { type FlagValue, flagValue } from '../flag-value.ts'
import { patternFault } from '../glob.ts'
import { parseWatchBlock, type WatchBlock } from './watch-block.ts'

export const documentTypes = ['user/information', 'agent/information', 'agent/instruction'] as const
export type DocumentType = (typeof documentTypes)[number]

export interface FrontMatter {
  readonly type: DocumentType
  readonly instruction?: string
  /** Beats the ordinary instructions of other documents. */
  readonly important: boolean
  readonly description?: string
  readonly title?: string
  readonly tags: readonly string[]
  readonly includes: readonly string[]
  readonly appliesTo: readonly string[]
  readonly requires: Readonly<Record<string, FlagValue>>
  readonly template: boolean
  /** What is watched while agents work. */
  readonly watch?: WatchBlock
}

/** Comes from outside: the parser loads on first use. Undefined where the text is not YAML. */
export type ParseYaml = (text: string) => unknown

export class FrontMatterError extends Error {}

const MAX_LENGTH = 16_384
const FENCED = /^---[ \t]*\r?\n((?:[\s\S]*?\r?\n)?)---[ \t]*(?:\r?\n|$)/
const MAX_TEXT = 1_000
const MAX_ENTRIES = 50

export interface Split {
  readonly front: FrontMatter
  readonly body: string
}

export function splitFrontMatter(source: string, parseYaml: ParseYaml): Split {
  const fenced = FENCED.exec(source)
  if (!fenced) return { front: frontMatterOf({}), body: source }
  const yaml = fenced[1] ?? ''
  if (yaml.length > MAX_LENGTH)
    throw new FrontMatterError(`the front matter is longer than ${MAX_LENGTH} characters`)
  return {
    front: frontMatterOf(fieldsOf(yaml, parseYaml)),
    body: source.slice(fenced[0].length).replace(/^\r?\n/, ''),
  }
}

function fieldsOf(yaml: string, parseYaml: ParseYaml): Record<string, unknown> {
  const parsed = parseYaml(yaml)
  if (parsed === undefined) throw new FrontMatterError('the front matter is not YAML')
  if (parsed === null) return {}
  if (typeof parsed !== 'object' || Array.isArray(parsed))
    throw new FrontMatterError('the front matter is not a map')
  return parsed as Record<string, unknown>
}

function frontMatterOf(fields: Record<string, unknown>): FrontMatter {
  const instruction = textOf(fields, 'instruction')
  return {
    type: typeOf(fields.type),
    instruction: instruction?.replace(/^\^\s*/, ''),
    important: instruction?.startsWith('^') ?? false,
    description: textOf(fields, 'description'),
    title: textOf(fields, 'title'),
    tags: listOf(fields, 'tags'),
    includes: listOf(fields, 'includes'),
    appliesTo: patternsOf(fields, 'applies-to'),
    requires: requirementsOf(fields),
    template: fields.template !== false,
    ...watchOf(fields.watch),
  }
}

function typeOf(given: unknown): DocumentType {
  const known = documentTypes.find((type) => type === given)
  if (known) return known
  if (given === undefined) return 'agent/instruction'
  throw new FrontMatterError(`type must be one of ${documentTypes.join(', ')}`)
}

function watchOf(given: unknown): { watch?: WatchBlock } {
  if (given === undefined) return {}
  const parsed = parseWatchBlock(given)
  if ('fault' in parsed) throw new FrontMatterError(parsed.fault)
  return { watch: parsed.block }
}

function textOf(fields: Record<string, unknown>, name: string): string | undefined {
  const given = fields[name]
  if (given === undefined || given === null) return undefined
  if (typeof given !== 'string') throw new FrontMatterError(`${name} must be a string`)
  return given.trim().slice(0, MAX_TEXT)
}

function listOf(fields: Record<string, unknown>, name: string): string[] {
  const given = fields[name]
  if (given === undefined || given === null) return []
  const list = Array.isArray(given) ? given : [given]
  if (
    list.length > MAX_ENTRIES ||
    !list.every((entry): entry is string => typeof entry === 'string')
  ) {
    throw new FrontMatterError(
      `${name} must be a string or a list of at most ${MAX_ENTRIES} strings`,
    )
  }
  return list
}

function patternsOf(fields: Record<string, unknown>, name: string): string[] {
  const patterns = listOf(fields, name)
  const fault = patterns.map(patternFault).find((found) => found !== undefined)
  if (fault) throw new FrontMatterError(`${name}: ${fault}`)
  return patterns
}

function requirementsOf(fields: Record<string, unknown>): Record<string, FlagValue> {
  const entries = Object.entries(fields)
    .filter(([key]) => key.startsWith('requires-'))
    .map(([key, given]): [string, FlagValue] => {
      const value = flagValue.safeParse(typeof given === 'number' ? String(given) : given)
      if (!value.success)
        throw new FrontMatterError(`${key.slice(0, 80)} must be a boolean, string, list or map`)
      return [key.slice('requires-'.length), value.data]
    })
  return Object.fromEntries(entries)
}
