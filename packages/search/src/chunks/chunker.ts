import type { Language as Grammar, Parser } from 'web-tree-sitter'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Grammars } from '../syntax/grammars.ts'
import { type Language, languageOf } from '../syntax/languages.ts'
import type { Definition } from '../syntax/outline.ts'
import { parseWithin } from '../syntax/parse-within.ts'
import { syntaxOutline, unparsedLines } from '../syntax/syntax-outline.ts'
import { textOutline } from '../syntax/text-outline.ts'
import type { Chunk } from './chunk.ts'
import { chunkByOutline } from './chunk-by-outline.ts'
import { chunkMarkdown } from './chunk-markdown.ts'

export interface Chunker {
  chunk(path: string, content: string): Promise<Chunk[]>
}

/** Prose and data have no definitions worth guessing at. */
const PLAIN = new Set(
  'text json yaml toml xml html ini css scss less restructuredtext asciidoc'.split(' '),
)

export function createChunker({
  grammars,
  log,
}: {
  readonly grammars: Grammars
  readonly log: Log
}): Chunker {
  let parser: Promise<Parser> | undefined
  const missing = new Set<string>()

  return {
    async chunk(path, content) {
      const language = languageOf(path)
      const lines = content.split(/\r?\n/)
      if (lines.at(-1) === '') lines.pop()
      if (language?.name === 'markdown') return chunkMarkdown(lines)
      const outline = language && (await outlineBySyntax(path, content, lines, language))
      if (outline) return chunkByOutline(lines, outline)
      return chunkByOutline(
        lines,
        language && !PLAIN.has(language.name) ? textOutline(lines, language.name) : [],
      )
    },
  }

  async function outlineBySyntax(
    path: string,
    content: string,
    lines: readonly string[],
    language: Language,
  ) {
    const grammar = language.functions && (await grammarFor(language))
    if (!grammar) return undefined
    parser ??= grammars.newParser()
    const ready = await parser
    try {
      ready.setLanguage(grammar)
      const tree = parseWithin(ready, content)
      if (!tree) log.warn({ path }, 'parsing a file took too long; it is indexed by lines')
      if (!tree) return undefined
      try {
        return patched(
          syntaxOutline(tree.rootNode, language),
          unparsedLines(tree.rootNode),
          lines,
          language.name,
        )
      } finally {
        tree.delete()
      }
    } catch (error) {
      // A parser that failed inside its wasm heap is not trusted with the next file.
      parser = undefined
      log.warn(
        { path, error: String(error) },
        'the parser failed on a file; it is indexed by lines',
      )
      return undefined
    }
  }

  async function grammarFor({ grammar: name }: Language): Promise<Grammar | undefined> {
    if (!name || missing.has(name)) return undefined
    return grammars.load(name).catch((error: unknown) => {
      missing.add(name)
      log.warn(
        { grammar: name, error: String(error) },
        'a grammar did not load; its files are indexed by lines',
      )
      return undefined
    })
  }
}

/** Where the grammar gave up, the definitions are read off the lines. */
function patched(
  outline: Definition[],
  unparsed: readonly (readonly [number, number])[],
  lines: readonly string[],
  language: string,
): Definition[] {
  if (unparsed.length === 0) return outline
  const within = ({ startLine, endLine }: Definition) =>
    unparsed.some(([first, last]) => startLine >= first && endLine <= last)
  return [...outline, ...textOutline(lines, language).filter(within)].sort(
    (a, b) => a.startLine - b.startLine,
  )
}
