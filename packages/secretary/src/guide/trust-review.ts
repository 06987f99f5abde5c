import { createHash } from 'node:crypto'
import { hidePrivateKeys } from '@secretary-mcp/core/files/private-keys.ts'
import { type DocumentFile, digestOf, readDocument } from './documents/document.ts'
import type { TrustedDocuments, TrustedText } from './trusted-documents.ts'

const CONTEXT = 3
/** Steps of the comparison; beyond it all lines between the first and the last change count as changed. */
const MAX_STEPS = 1_000_000

/** A document of the project that the person has not trusted, or not as it is now. */
export interface ReviewedDocument extends TrustedText {
  readonly state: 'new' | 'changed'
  /** The lines that come and go since it was trusted; all lines of a new one. */
  readonly change: string
}

/** What a person reads before they trust it; trusting it means exactly this text. */
export interface TrustReview {
  readonly documents: readonly ReviewedDocument[]
  /** Another one whenever one of these comes, goes or says something else. */
  readonly version: string
}

/** Characters that nobody sees, and which an agent reads all the same. */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u{e0000}-\u{e007f}]/gu
const MAX_REVIEWED_BYTES = 16 << 20
const UNREADABLE = 'It is too large or cannot be read, so nothing of it is used.'

export function reviewDocuments(
  project: string,
  files: readonly DocumentFile[],
  trusted: TrustedDocuments,
): TrustReview {
  const digests = trusted.digests(project)
  let size = 0
  const documents: ReviewedDocument[] = []
  for (const file of files) {
    const { path } = file
    // A folder of huge files must not stop everybody else: the next review has the rest.
    if (size > MAX_REVIEWED_BYTES) break
    const bytes = readDocument(file)
    size += bytes?.length ?? 0
    const text = bytes?.toString('utf8')
    const digest = digestOf(bytes)
    const state = digests.has(path) ? 'changed' : 'new'
    const before = state === 'changed' ? (trusted.text(project, path) ?? '') : ''
    const change =
      text === undefined
        ? UNREADABLE
        : revealHidden(diffLines(hidePrivateKeys(before), hidePrivateKeys(text)))
    documents.push({ path, digest, state, change, ...(text === undefined ? {} : { text }) })
  }
  const version = createHash('sha256')
    .update(JSON.stringify(documents.map(({ path, digest }) => [path, digest])))
    .digest('base64url')
    .slice(0, 22)
  return { documents, version }
}

function revealHidden(text: string): string {
  return text.replace(HIDDEN, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)
}

type Line = readonly [mark: ' ' | '-' | '+', text: string]

/** What goes and what comes, line by line, with the lines around it. */
export function diffLines(before: string, after: string): string {
  const lines = compareLines(split(before), split(after))
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(([mark]) => mark !== ' ')
  const shown: string[] = []
  let isGap = false
  for (const [index, [mark, text]] of lines.entries()) {
    if (mark === ' ' && !isNear(index)) {
      isGap = true
      continue
    }
    if (isGap) shown.push('@@')
    isGap = false
    shown.push(`${mark} ${text}`)
  }
  return shown.join('\n')
}

function compareLines(old: readonly string[], made: readonly string[]): Line[] {
  let start = 0
  while (start < Math.min(old.length, made.length) && old[start] === made[start]) start++
  let end = 0
  const rest = Math.min(old.length, made.length) - start
  while (end < rest && old[old.length - 1 - end] === made[made.length - 1 - end]) end++
  const same = (line: string): Line => [' ', line]
  return [
    ...old.slice(0, start).map(same),
    ...middle(old.slice(start, old.length - end), made.slice(start, made.length - end)),
    ...old.slice(old.length - end).map(same),
  ]
}

/** By the longest common subsequence. */
function middle(old: readonly string[], made: readonly string[]): Line[] {
  const gone = (line: string): Line => ['-', line]
  const come = (line: string): Line => ['+', line]
  if (old.length * made.length > MAX_STEPS) return [...old.map(gone), ...made.map(come)]
  const width = made.length + 1
  const longest = new Uint32Array((old.length + 1) * width)
  const at = (one: number, other: number) => longest[one * width + other] ?? 0
  for (let one = old.length - 1; one >= 0; one--)
    for (let other = made.length - 1; other >= 0; other--)
      longest[one * width + other] =
        old[one] === made[other]
          ? at(one + 1, other + 1) + 1
          : Math.max(at(one + 1, other), at(one, other + 1))
  const lines: Line[] = []
  let [one, other] = [0, 0]
  while (one < old.length && other < made.length) {
    if (old[one] === made[other]) {
      lines.push([' ', old[one++] ?? ''])
      other++
    } else if (at(one + 1, other) >= at(one, other + 1)) lines.push(gone(old[one++] ?? ''))
    else lines.push(come(made[other++] ?? ''))
  }
  return [...lines, ...old.slice(one).map(gone), ...made.slice(other).map(come)]
}

/** Every character that ends a line somewhere ends one here, so that nobody can write a line that looks like ours. */
function split(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
}
