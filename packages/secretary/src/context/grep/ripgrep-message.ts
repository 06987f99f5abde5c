/** ripgrep's `--json` lines, as far as they are used. Text that is not UTF-8 comes as base64. */
type Text = { readonly text: string } | { readonly bytes: string }

export interface RipgrepLine {
  readonly path: Text
  readonly lines: Text
  readonly line_number: number | null
  readonly absolute_offset: number
  readonly submatches: readonly { readonly start: number }[]
}

export type RipgrepMessage =
  | { readonly type: 'begin'; readonly data: { readonly path: Text } }
  | { readonly type: 'end'; readonly data: { readonly path: Text } }
  | { readonly type: 'match' | 'context'; readonly data: RipgrepLine }
  | { readonly type: 'summary'; readonly data: { readonly stats: { readonly searches: number } } }

export function textOf(text: Text): string {
  return 'text' in text ? text.text : bytesOf(text).toString('utf8')
}

export function bytesOf(text: Text): Buffer {
  return 'text' in text ? Buffer.from(text.text) : Buffer.from(text.bytes, 'base64')
}

export function pathOf(path: Text): string {
  return textOf(path)
    .replaceAll('\\', process.platform === 'win32' ? '/' : '\\')
    .replace(/^\.\//, '')
}

/** From ripgrep's byte offset to a place in the string, counted from 0 in UTF-16 units as editors do. */
export function placeOf(line: Text, byteOffset: number): number {
  return bytesOf(line).subarray(0, byteOffset).toString('utf8').length
}
