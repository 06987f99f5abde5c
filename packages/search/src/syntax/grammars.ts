import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { packageRoot } from '@secretary-mcp/core/package-root.ts'
import type { Language as Grammar, Parser } from 'web-tree-sitter'

/** The parser and its grammars, each loaded when first asked for and then kept for everybody in this thread. */
export interface Grammars {
  newParser(): Promise<Parser>
  load(name: string): Promise<Grammar>
}

/** Where the parser's and the grammars' bytes come from. */
export interface GrammarFiles {
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
