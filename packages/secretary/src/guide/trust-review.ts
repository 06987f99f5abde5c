import { createHash } from 'node:crypto'
import { hidePrivateKeys } from '@secretary-mcp/core/files/private-keys.ts'
import { digestOf, readDocument } from './documents/digest-cache.ts'
import type { DocumentFile } from './documents/document.ts'
import { diffLines } from './line-diff.ts'
import type { TrustedDocuments, TrustedText } from './trusted-documents.ts'

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
