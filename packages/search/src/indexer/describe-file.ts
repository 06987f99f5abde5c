import { redact } from '@secretary-mcp/core/redact.ts'
import type { Chunk } from '../chunks/chunker.ts'
import type { DefinedTerm, IndexedChunk, IndexedFile } from '../index-store.ts'
import { languageOf } from '../syntax/languages.ts'
import { identifiersIn, indexTerms, wholeTerm } from '../text/index-terms.ts'
import type { FoundFile } from './project-files.ts'

const MAX_OUTLINE_CHARS = 6000

/** Everything the store needs to know of a file. Pure: the same content always gives the same description. */
export function describeFile(file: FoundFile, hash: string, chunks: readonly Chunk[]): IndexedFile {
  const title = titleOf(file.path)
  const defined = new Set(chunks.flatMap((chunk) => chunk.symbols.map(lastName)))
  return {
    ...file,
    hash,
    language: languageOf(file.path)?.name ?? 'text',
    title,
    outline: `${title} ${chunks.flatMap((chunk) => chunk.symbols).join(' ')}`.slice(
      0,
      MAX_OUTLINE_CHARS,
    ),
    pathTerms: indexTerms(withoutExtension(file.path)).join(' '),
    chunks: chunks.map((chunk) => describeChunk(chunk, defined)),
  }
}

function describeChunk(read: Chunk, defined: ReadonlySet<string>): IndexedChunk {
  // What a search finds is shown, stored and embedded.
  const chunk = { ...read, content: redact(read.content) }
  return {
    ...chunk,
    terms: indexTerms(chunk.content).join(' '),
    symbolTerms: indexTerms(`${chunk.symbols.join(' ')} ${chunk.scope}`).join(' '),
    definitions: [
      ...chunk.symbols.map((symbol) => definedTerm(symbol, chunk)),
      ...reExports(chunk.content, defined),
    ],
  }
}

const KIND_WEIGHT = { type: 1, function: 0.9, block: 0.6, section: 0.3 } as const
const MEMBER_WEIGHT = 0.7
const RE_EXPORT_WEIGHT = 0.5

function definedTerm(symbol: string, chunk: Chunk): DefinedTerm {
  return {
    term: lastName(symbol),
    name: symbol.slice(symbol.lastIndexOf('.') + 1),
    weight:
      symbol.includes('.') && chunk.kind !== 'section' ? MEMBER_WEIGHT : KIND_WEIGHT[chunk.kind],
  }
}

const RE_EXPORT = /^[ \t]*(?:pub use|export (?:type )?\{|__all__\s*=)[^;=\]]*/gm

/** A name passed on under this file's own roof: what its users import, wherever it was written. */
function reExports(content: string, defined: ReadonlySet<string>): DefinedTerm[] {
  const names = new Set((content.match(RE_EXPORT) ?? []).flatMap(identifiersIn))
  return [...names]
    .map((name) => ({ term: wholeTerm(name), name, weight: RE_EXPORT_WEIGHT }))
    .filter(({ term }) => term.length > 2 && !defined.has(term))
}

function lastName(symbol: string): string {
  return wholeTerm(symbol.slice(symbol.lastIndexOf('.') + 1))
}

/** The last two parts of the path: what stands further up is the same for all files around. */
export function titleOf(path: string): string {
  return withoutExtension(path).split('/').slice(-2).join(' ')
}

function withoutExtension(path: string): string {
  return path.replace(/\.[^./]+$/, '')
}
