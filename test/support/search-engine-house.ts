import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { packageRoot } from '@secretary-mcp/core/package-root.ts'
import { createChunker } from '@secretary-mcp/search/chunks/chunker.ts'
import type { Embedder } from '@secretary-mcp/search/embedder/embedder.ts'
import {
  createStaticEmbedder,
  MINILM_STATIC,
} from '@secretary-mcp/search/embedder/static-embedder.ts'
import { openSqliteIndexStore } from '@secretary-mcp/search/index/sqlite-index-store.ts'
import type { IndexStore } from '@secretary-mcp/search/index-store.ts'
import { createBridges } from '@secretary-mcp/search/languages/bridge.ts'
import { createSearchEngine, type SearchEngine } from '@secretary-mcp/search/search-engine.ts'
import { installedGrammars } from '@secretary-mcp/search/syntax/grammars.ts'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

export const chunker = createChunker({ grammars: installedGrammars(), log: silentLog })
export const embedder = createStaticEmbedder({
  ...MINILM_STATIC,
  path: join(packageRoot(), 'assets', 'embeddings', MINILM_STATIC.file),
})

export const bridges = createBridges(join(packageRoot(), 'assets', 'bridges'))

export const PROJECT = {
  'src/auth/login.ts':
    'export function signIn(user: string, password: string) {\n  return verifyPassword(user, password)\n}\n',
  'src/store/create-store.ts':
    '/** Holds the state tree. */\nexport function createStore(reducer: Reducer) {\n  return { dispatch, subscribe }\n}\n',
  'src/store/create-store.test.ts': 'test("createStore", () => { createStore(reducer) })\n',
  'src/mail/mailer.ts':
    'export class Mailer {\n  send(message: Message) { return this.transport.deliver(message) }\n}\n',
}

export function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

export interface Setup {
  readonly files?: Readonly<Record<string, string>>
  readonly database?: string
  readonly root?: string
  readonly embedder?: Embedder
  readonly noteEmbedder?: Embedder
  readonly formerEmbedders?: readonly Embedder[]
  readonly pid?: number
  /** Stands before the store, to fail where a disk would. */
  readonly around?: (store: IndexStore) => IndexStore
}

export async function engineFor(
  setup: Setup = {},
): Promise<{ engine: SearchEngine; root: string; database: string }> {
  const root = setup.root ?? temporaryFolder()
  const database = setup.database ?? join(temporaryFolder(), 'index', 'p.db')
  write(root, setup.files ?? (setup.root ? {} : PROJECT))
  const store = await openSqliteIndexStore(database, silentLog)
  const engine = createSearchEngine({
    root,
    store: setup.around?.(store) ?? store,
    chunker,
    embedder: setup.embedder ?? embedder,
    noteEmbedder: setup.noteEmbedder,
    formerEmbedders: setup.formerEmbedders,
    bridges,
    platform: 'linux',
    pid: setup.pid ?? process.pid,
    log: silentLog,
  })
  onTestFinished(() => engine.close())
  return { engine, root, database }
}

export async function filesFor(
  engine: SearchEngine,
  query: string,
): Promise<(string | undefined)[]> {
  return (await engine.search({ query, limit: 10 })).results.map((result) => result.file)
}
