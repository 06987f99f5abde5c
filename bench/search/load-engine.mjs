// Bundles the engine as it stands in src and gives a function from a project folder to an engine over a store in memory.
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { onlyOurs } from '../../scripts/only-ours.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Also gives the tables of weights, so that a signal can be switched off. */
export async function loadEngine() {
  const outfile = join(root, 'bench/out/search-engine.mjs')
  mkdirSync(dirname(outfile), { recursive: true })
  const modules = {
    createSearchEngine: 'packages/search/src/search-engine.ts',
    createChunker: 'packages/search/src/chunks/chunker.ts',
    installedGrammars: 'packages/search/src/syntax/grammars.ts',
    createStaticEmbedder: 'packages/search/src/embedder/static-embedder.ts',
    MINILM_STATIC: 'packages/search/src/embedder/static-embedder.ts',
    createBridges: 'packages/search/src/languages/bridge.ts',
    FILE_WEIGHTS: 'packages/search/src/ranking/rank-files.ts',
    ROLE_PENALTIES: 'packages/search/src/ranking/rank-files.ts',
    CHUNK_WEIGHTS: 'packages/search/src/ranking/search-all.ts',
    CENTRAL_WEIGHTS: 'packages/search/src/ranking/rank-files.ts',
    openSqliteIndexStore: 'packages/search/src/index/sqlite-index-store.ts',
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
    plugins: [onlyOurs()],
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
