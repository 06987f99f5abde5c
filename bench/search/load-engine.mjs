// Bundles the engine as it stands in src and gives a function from a project folder to an engine over a store in memory.
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Also gives the tables of weights, so that a signal can be switched off. */
export async function loadEngine() {
  const outfile = join(root, 'bench/out/search-engine.mjs')
  mkdirSync(dirname(outfile), { recursive: true })
  const modules = {
    createSearchEngine: 'src/search/search-engine.ts',
    createChunker: 'src/search/chunks/chunker.ts',
    installedGrammars: 'src/search/syntax/grammars.ts',
    createStaticEmbedder: 'src/search/embedder/static-embedder.ts',
    MINILM_STATIC: 'src/search/embedder/static-embedder.ts',
    createBridges: 'src/search/languages/bridge.ts',
    FILE_WEIGHTS: 'src/search/ranking/rank-files.ts',
    ROLE_PENALTIES: 'src/search/ranking/rank-files.ts',
    CHUNK_WEIGHTS: 'src/search/ranking/choose-passages.ts',
    CENTRAL_WEIGHTS: 'src/search/ranking/central-files.ts',
    openSqliteIndexStore: 'src/storage/sqlite/search-index/sqlite-index-store.ts',
  }
  const contents = Object.entries(modules).map(
    ([name, path]) => `export { ${name} } from './${path}'`,
  )
  await build({
    stdin: { contents: contents.join('\n'), resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  const engine = await import(pathToFileURL(outfile).href)
  const log = {
    trace() {},
    debug() {},
    info() {},
    warn: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
    error() {},
  }
  const chunker = engine.createChunker({ grammars: engine.installedGrammars(), log })
  const table = {
    ...engine.MINILM_STATIC,
    path: join(root, 'assets/embeddings', engine.MINILM_STATIC.file),
  }
  const embedder = engine.createStaticEmbedder(table)
  const engineFor = async (project, database = ':memory:') =>
    engine.createSearchEngine({
      root: project,
      store: await engine.openSqliteIndexStore(database, log),
      chunker,
      embedder,
      bridges: engine.createBridges(join(root, 'assets/bridges')),
      platform: process.platform,
      pid: process.pid,
      log,
    })
  return Object.assign(engineFor, {
    weights: {
      ...named(engine, 'FILE_WEIGHTS', 'ROLE_PENALTIES', 'CHUNK_WEIGHTS', 'CENTRAL_WEIGHTS'),
    },
  })
}

function named(engine, ...names) {
  return Object.fromEntries(names.map((name) => [name, engine[name]]))
}
