import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { digestOf } from '@secretary-mcp/secretary/guide/documents/document.ts'
import { TrustedDocuments } from '@secretary-mcp/secretary/guide/trusted-documents.ts'
import type { EngineUnderTest } from './engines.ts'
import type { Connect, Connection } from './mcp-client.ts'
import { setups } from './setups.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface Body {
  success: boolean
  error?: string
  error_type?: string
  message?: string
  instruction?: string
  value: {
    content: string
    documents: { uri: string; name: string }[]
    total: number
    next_offset?: number
    problems?: { document: string; error_type: string; error: string }[]
    flags: Record<string, unknown>
    value: unknown
    categories: { name: string; dir: string; patterns: string[] }[]
    collections: { name: string; categories: string[] }[]
    files: { uri: string; layer: string }[]
    projects: { name: string; path: string }[]
    profiles: { name: string; used: boolean; fits: boolean }[]
    added: string[]
    detected: string[]
    text: string
  }
}

export interface GuideServer {
  readonly name: string
  readonly connect: Connect
  readonly engine: EngineUnderTest
}

/** The setups, with the names that the guide's tests have for them. */
export const guideServers: readonly GuideServer[] = setups

/** A running server with a docroot and a Python project of its own. */
export interface GuideHouse {
  readonly connection: Connection
  readonly home: string
  readonly project: string
  call(tool: string, args?: Record<string, unknown>): Promise<Body>
  /** The same for a call that may fail. */
  attempt(tool: string, args?: Record<string, unknown>): Promise<Body>
  /** Paths of the documents that an expression gives. */
  names(expression: string, pattern?: string): Promise<string[]>
  document(path: string, text: string): void
  /** A document of the project's own, which the person trusts. */
  ownDocument(path: string, text: string): void
}

export async function openHouse({ connect, engine }: GuideServer): Promise<GuideHouse> {
  const env = await engine.fresh()
  const home = env.SECRETARY_HOME
  const project = join(temporaryFolder(), 'shop')
  const document = (path: string, text: string) => put(join(home, 'docroot', path), text)
  put(join(project, 'pyproject.toml'), '')
  document('words/alpha.md', 'alpha body')
  document('words/beta.md', 'beta body')
  document('words/deep/gamma.md', 'gamma body')
  document('words/_hidden.md', 'hidden body')
  const connection = await connect({
    env: { ...env, SECRETARY_PROJECT: project },
    clientName: 'tester',
  })
  const call: GuideHouse['call'] = async (tool, args) =>
    (await connection.call<Body>(`guide_${tool}`, args)).body
  const attempt: GuideHouse['call'] = async (tool, args) =>
    (await connection.attempt<Body>(`guide_${tool}`, args)).body
  return {
    connection,
    home,
    project,
    call,
    attempt,
    document,
    ownDocument(path, text) {
      trustDocuments(home, project, { [path]: text })
      put(join(project, '.guide', path), text)
    },
    names: async (expression, pattern) =>
      (await call('get_content', { expression, pattern })).value.documents.map(
        (found) => found.name,
      ),
  }
}

/** As if the person had read these texts and trusted them, whether they are there yet or not. */
export function trustDocuments(
  home: string,
  project: string,
  texts: Readonly<Record<string, string>>,
): void {
  const documents = Object.entries(texts).map(([path, text]) => ({
    path,
    text,
    digest: digestOf(Buffer.from(text)),
  }))
  new TrustedDocuments(home).trust(project, documents)
}

export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
