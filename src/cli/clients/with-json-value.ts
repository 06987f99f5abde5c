import { isDeepStrictEqual } from 'node:util'
import { applyEdits, type JSONPath, modify, type ParseError, parse } from 'jsonc-parser'
import { isRecord } from './is-record.ts'

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

/** The text without what is at a path. */
export function withoutJsonValue(text: string, path: JSONPath): string {
  const source = bare(text)
  const mark = text.startsWith(BOM) ? BOM : ''
  return `${mark}${applyEdits(source, modify(source, path, undefined, {}))}`
}

const BOM = '\ufeff'

function bare(text: string): string {
  const plain = text.startsWith(BOM) ? text.slice(1) : text
  return plain.trim() === '' ? '{}' : plain
}
