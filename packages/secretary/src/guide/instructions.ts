import type { Document } from './documents/document.ts'
import type { DocumentType } from './documents/front-matter.ts'

const BY_TYPE: Readonly<Record<DocumentType, string>> = {
  'user/information': 'Show this content to the person as it is; do not interpret it.',
  'agent/information': 'Use this content as background; do not show it unless you are asked.',
  'agent/instruction':
    'Follow these rules in this project. Tell the person where a request conflicts with them.',
}

const LONGEST = 2_000

/** One instruction for a result: an important one beats the ordinary ones; the same words come once. */
export function instructionFor(
  documents: readonly Pick<Document, 'type' | 'instruction' | 'important'>[],
): string | undefined {
  const important = documents.filter((document) => document.important)
  const heard = important.length > 0 ? important : documents
  const said = new Set(heard.map(({ type, instruction }) => instruction || BY_TYPE[type]))
  return said.size > 0 ? [...said].join('\n').slice(0, LONGEST) : undefined
}
