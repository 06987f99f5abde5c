import { join } from 'node:path'
import { EventEmitter, l10n, Range, ThemeIcon, type TreeDataProvider, TreeItem, Uri } from 'vscode'
import type { Companions } from '../server/companions.ts'
import { projectFolders } from '../server/project-folders.ts'
import { oneLine } from './wording.ts'

const MAX_RESULTS = 20
const MAX_TOOLTIP = 2_000

/** As the server's search answers. */
interface Hit {
  /** Of a request: its dialog and its number. */
  readonly id: string
  readonly type: string
  readonly content: string
  readonly score: number
  readonly source: 'discovery' | 'session' | 'code'
  readonly session?: string | null
  readonly file?: string
  readonly line?: number
  readonly symbol?: string
  readonly from?: { readonly dialog?: string; readonly request?: number }
}

export interface FoundHit extends Hit {
  readonly folder: string
}

/** What a search by meaning found in all folders of the window, best first. */
export class SearchTree implements TreeDataProvider<FoundHit | string> {
  readonly #companions: Companions
  readonly #changed = new EventEmitter<void>()
  readonly onDidChangeTreeData = this.#changed.event
  #found: readonly (FoundHit | string)[] = []

  constructor(companions: Companions) {
    this.#companions = companions
  }

  async search(query: string): Promise<void> {
    const all = await Promise.all(projectFolders().map(({ path }) => this.#searchIn(path, query)))
    const hits = all.flatMap(({ hits }) => hits).sort((one, other) => other.score - one.score)
    const notes = all.flatMap(({ note }) => (note === undefined ? [] : [note]))
    this.#found =
      hits.length > 0 ? hits : notes.length > 0 ? notes : [l10n.t('Nothing found for “{0}”', query)]
    this.#changed.fire()
  }

  getChildren(parent?: FoundHit | string): (FoundHit | string)[] {
    return parent === undefined ? [...this.#found] : []
  }

  getTreeItem(hit: FoundHit | string): TreeItem {
    return typeof hit === 'string' ? new TreeItem(hit) : hitItem(hit)
  }

  async #searchIn(folder: string, query: string): Promise<{ hits: FoundHit[]; note?: string }> {
    const { isError, body } = await this.#companions
      .of(folder)
      .tool('context_search', { query, limit: MAX_RESULTS })
    if (isError) return { hits: [], note: String(body.error ?? body.message) }
    const results = (body.results ?? []) as Hit[]
    return { hits: results.map((hit) => ({ ...hit, folder })) }
  }
}

function hitItem(hit: FoundHit): TreeItem {
  const { file, line = 1, content, source, symbol } = hit
  const item = new TreeItem(file ? (symbol ?? oneLine(content)) : oneLine(content))
  item.tooltip = content.slice(0, MAX_TOOLTIP)
  item.description = file ? `${file}:${line}` : source === 'session' ? l10n.t('request') : hit.type
  item.iconPath = new ThemeIcon(
    source === 'code' ? 'symbol-file' : source === 'session' ? 'account' : 'lightbulb',
  )
  item.accessibilityInformation = { label: `${item.label}, ${item.description}` }
  item.command = commandOf(hit, file, line)
  return item
}

function commandOf(hit: FoundHit, file: string | undefined, line: number) {
  const dialog = hit.from?.dialog ?? hit.session
  if (hit.source === 'code' && file) {
    const selection = new Range(line - 1, 0, line - 1, 0)
    const place = [Uri.file(join(hit.folder, file)), { selection }]
    return { command: 'vscode.open', title: l10n.t('Open'), arguments: place }
  }
  if (!dialog) return undefined
  const place = [dialog, hit.from?.request ?? Number(/\/(\d+)$/.exec(hit.id)?.[1] ?? 1)]
  return { command: 'copilotChatSecretary.openRequest', title: l10n.t('Open'), arguments: place }
}
