import { isDeepStrictEqual } from 'node:util'
import {
  applyEdits,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type ParseError,
  parse,
  parseTree,
} from 'jsonc-parser'

/** What a file of settings says; comments and a comma at the end are no fault. */
export function readJson(text: string): Record<string, unknown> {
  const errors: ParseError[] = []
  const whole: unknown = parse(bare(text), errors, { allowTrailingComma: true })
  if (errors.length > 0 || !isRecord(whole)) throw new SyntaxError('not a JSON object')
  return whole
}

/** The text with a value at a path, comments and layout kept; the place behind the last of a list adds to it. */
export function withJsonValue(text: string, path: JSONPath, value: unknown): string {
  const source = bare(text)
  const indent = /^([ \t]+)["/]/m.exec(source)?.[1] ?? '  '
  const formattingOptions = {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.includes('\t') ? 1 : indent.length,
    eol: source.includes('\r\n') ? '\r\n' : '\n',
  }
  const isArrayInsertion = typeof path.at(-1) === 'number'
  const edits = modify(source, path, value, { formattingOptions, isArrayInsertion })
  const made = applyEdits(source, edits)
  const found = path.reduce<unknown>(
    (at, part) => (at as Record<string, unknown>)?.[part],
    readJson(made),
  )
  if (!isDeepStrictEqual(found, value)) throw new SyntaxError('the value cannot be added')
  const mark = text.startsWith(BOM) ? BOM : ''
  return `${mark}${made}${made.endsWith('\n') ? '' : formattingOptions.eol}`
}

/** The text without what is at a path, and without the comma that parted it from the others; `modify` miscounts in lists. */
export function withoutJsonValue(text: string, path: JSONPath): string {
  const source = bare(text)
  const mark = text.startsWith(BOM) ? BOM : ''
  const tree = parseTree(source, [], { allowTrailingComma: true })
  const value = tree && findNodeAtLocation(tree, path)
  const node = value?.parent?.type === 'property' ? value.parent : value
  const siblings = node?.parent?.children ?? []
  if (!node) return text
  const index = siblings.indexOf(node)
  const [before, after] = [siblings[index - 1], siblings[index + 1]]
  const start = before && !after ? before.offset + before.length : node.offset
  const end = after ? after.offset : node.offset + node.length
  const made = source.slice(0, start) + source.slice(end)
  readJson(made)
  return `${mark}${made}`
}

const BOM = '\ufeff'

function bare(text: string): string {
  const plain = text.startsWith(BOM) ? text.slice(1) : text
  return plain.trim() === '' ? '{}' : plain
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
