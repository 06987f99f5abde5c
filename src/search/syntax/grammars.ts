import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Language as Grammar, Parser } from 'web-tree-sitter'

/** The parser and its grammars, each loaded when first asked for and then kept for everybody in this thread. */
export interface Grammars {
  newParser(): Promise<Parser>
  load(name: string): Promise<Grammar>
}

/** `folder` holds `tree-sitter-<name>.wasm`. */
export function createGrammars(folder: string): Grammars {
  const loaded = new Map<string, Promise<Grammar>>()
  let runtime: Promise<typeof import('web-tree-sitter')> | undefined

  const ready = () => {
    runtime ??= startRuntime()
    return runtime
  }
  return {
    async newParser() {
      const { Parser } = await ready()
      return new Parser()
    },
    load(name) {
      const known = loaded.get(name)
      if (known) return known
      const loading = ready().then(({ Language }) =>
        Language.load(join(folder, `tree-sitter-${name}.wasm`)),
      )
      loaded.set(name, loading)
      loading.catch(() => loaded.delete(name))
      return loading
    },
  }
}

let installed: Grammars | undefined

/** Those of the package that we depend on. */
export function installedGrammars(): Grammars {
  const { resolve } = createRequire(import.meta.url)
  installed ??= createGrammars(
    join(dirname(resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm'),
  )
  return installed
}

async function startRuntime(): Promise<typeof import('web-tree-sitter')> {
  const parsing = await import('web-tree-sitter')
  const runtime = createRequire(import.meta.url).resolve('web-tree-sitter/web-tree-sitter.wasm')
  await parsing.Parser.init({ locateFile: () => runtime })
  return parsing
}
