import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { packageRoot } from '@secretary-mcp/core/package-root.ts'
import type { Language as Grammar, Parser, Tree } from 'web-tree-sitter'

/** The parser and its grammars, each loaded when first asked for and then kept for everybody in this thread. */
export interface Grammars {
  newParser(): Promise<Parser>
  load(name: string): Promise<Grammar>
}

/** Where the parser's and the grammars' bytes come from. */
interface GrammarFiles {
  runtime(): Promise<Uint8Array>
  grammar(name: string): Promise<Uint8Array>
}

export function createGrammars(files: GrammarFiles): Grammars {
  const loaded = new Map<string, Promise<Grammar>>()
  let runtime: Promise<typeof import('web-tree-sitter')> | undefined

  const ready = () => {
    runtime ??= startRuntime(files)
    return runtime
  }
  return {
    async newParser() {
      const { Parser } = await ready()
      return new Parser()
    },
    load(name) {
      const known = loaded.get(name)
      if (known !== undefined) return known
      const loading = ready().then(async ({ Language }) => Language.load(await files.grammar(name)))
      loaded.set(name, loading)
      loading.catch(() => void loaded.delete(name))
      return loading
    },
  }
}

let installed: Grammars | undefined

export function installedGrammars(): Grammars {
  installed ??= createGrammars(isBundled() ? packedFiles() : packageFiles())
  return installed
}

function isBundled(): boolean {
  return !import.meta.url.endsWith('.ts')
}

/** As the build lays them beside the bundle. */
function packedFiles(): GrammarFiles {
  const folder = join(packageRoot(), 'dist', 'grammars')
  // Aside, since whoever needs no grammar waits meanwhile.
  const unpack = promisify(gunzip)
  const unpacked = async (name: string) => unpack(await readFile(join(folder, `${name}.gz`)))
  return {
    runtime: () => unpacked('web-tree-sitter.wasm'),
    grammar: (name) => unpacked(`tree-sitter-${name}.wasm`),
  }
}

/** Where the sources run as they are. */
function packageFiles(): GrammarFiles {
  const { resolve } = createRequire(import.meta.url)
  const folder = join(dirname(resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm')
  return {
    runtime: () => readFile(resolve('web-tree-sitter/web-tree-sitter.wasm')),
    grammar: (name) => readFile(join(folder, `tree-sitter-${name}.wasm`)),
  }
}

async function startRuntime(files: GrammarFiles): Promise<typeof import('web-tree-sitter')> {
  const parsing = await import('web-tree-sitter')
  await parsing.Parser.init({ wasmBinary: await files.runtime() })
  return parsing
}

/** Real files take a few milliseconds; some texts are written so that a grammar never comes to an end. */
const MAX_MS = 1_000
/** How long others may wait to be answered. */
const SLICE_MS = 40
/** A parser asks for about this much at a time. */
const PIECE = 5_000
/**
 * How often a text may be read over, beside what is cheap: a comment that never ends is read to the end of the file at each of
 * its words. Of 535 real files none of some length was read more than nine times.
 */
const MAX_READINGS = 20
const CHEAP = 500_000
/** The same between two moments at which the parser can be stopped: little more than one token as long as the file. */
const MAX_AT_ONCE = 1.25
const CHEAP_AT_ONCE = 100_000

/** Undefined where the text took too long to parse. */
export function parseWithin(parser: Parser, text: string): Tree | undefined {
  const tree = parseUntil(parser, boundedText(text), MAX_MS)
  if (!tree) parser.reset()
  return tree
}

/** The same in short slices, for where others wait to be answered. The parser must be the caller's own. */
export async function parseInTurns(parser: Parser, text: string): Promise<Tree | undefined> {
  const source = boundedText(text)
  for (const started = performance.now(); performance.now() - started < MAX_MS; ) {
    // One that was stopped goes on from there when it is called again.
    const tree = parseUntil(parser, source, SLICE_MS)
    if (tree || source.isSpent()) return tree
    await nextTurn()
  }
  return undefined
}

interface BoundedText {
  read(index: number): string
  isSpent(): boolean
  /** The parser has come to a place where it can be stopped. */
  pause(): void
  /** Whoever asks from now on gets the whole text. */
  finish(): void
}

/** Within one token a parser can be stopped only by telling it that the text has ended. */
function boundedText(text: string): BoundedText {
  const atOnce = CHEAP_AT_ONCE + MAX_AT_ONCE * text.length
  let left = CHEAP + MAX_READINGS * text.length
  let leftAtOnce = atOnce
  const isSpent = () => left <= 0 || leftAtOnce <= 0
  return {
    read(index) {
      if (isSpent()) return ''
      left -= PIECE
      leftAtOnce -= PIECE
      return text.slice(index, index + PIECE)
    },
    isSpent,
    pause() {
      if (!isSpent()) leftAtOnce = atOnce
    },
    finish() {
      left = Number.POSITIVE_INFINITY
      leftAtOnce = Number.POSITIVE_INFINITY
    },
  }
}

function parseUntil(parser: Parser, source: BoundedText, longestMs: number): Tree | undefined {
  const started = performance.now()
  // Typed as if it returned nothing; what it returns decides whether parsing goes on.
  const progressCallback = () => {
    source.pause()
    return source.isSpent() || performance.now() - started > longestMs
  }
  const tree = parser.parse((index) => source.read(index), null, { progressCallback })
  if (source.isSpent()) {
    tree?.delete()
    return undefined
  }
  if (tree) source.finish()
  return tree ?? undefined
}
