import { join } from 'node:path'
import type { parse } from 'yaml'
import type { Document, DocumentFile, Layer, Problem } from './document.ts'
import { DocumentCache } from './document-cache.ts'
import { realFolder, walk } from './walk.ts'

export interface Layers {
  /** Comes with the package; never written. */
  readonly shipped: string
  /** The person's own docroot. */
  readonly user: string
}

/** All documents of a project at one moment, the layers laid over each other. */
export interface Shelf {
  readonly files: readonly DocumentFile[]
  /** By its path, whichever layer it lies in, hidden parts too; the extension may be left out. */
  find(path: string): DocumentFile | undefined
  read(file: DocumentFile): Document | Problem
}

export const PROJECT_FOLDER = '.guide'
const EXTENSIONS = ['', '.md', '.mustache', '.md.mustache', '.txt']

/** The documents on disk. Every look is fresh; only parsing is remembered. */
export class Library {
  readonly layers: Layers
  readonly #cache = new DocumentCache()
  readonly #listChanged: () => void
  readonly #listed = new Map<string, string>()
  #yaml?: Promise<typeof parse>

  constructor(layers: Layers, listChanged: () => void = () => {}) {
    this.layers = layers
    this.#listChanged = listChanged
  }

  async open(project: string): Promise<Shelf> {
    const parseYaml = await this.yaml()
    const byPath = new Map<string, DocumentFile>()
    for (const file of this.#layersOf(project)) byPath.set(file.path, file)
    const files = [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
    this.#noticeChange(project, files)
    return {
      files,
      find: (path) => EXTENSIONS.map((extension) => byPath.get(path + extension)).find((file) => file !== undefined),
      read: (file) => this.#cache.read(file, parseYaml),
    }
  }

  /** The parser is large: it loads when the first document is read. */
  yaml(): Promise<typeof parse> {
    this.#yaml ??= import('yaml').then((module) => module.parse)
    return this.#yaml
  }

  *#layersOf(project: string): Generator<DocumentFile> {
    const roots: [Layer, string | undefined][] = [
      ['shipped', realFolder(this.layers.shipped)],
      ['user', realFolder(this.layers.user)],
      ['project', realFolder(join(project, PROJECT_FOLDER), project)],
    ]
    for (const [layer, root] of roots) if (root !== undefined) yield* walk(root, layer)
  }

  #noticeChange(project: string, files: readonly DocumentFile[]): void {
    const now = files.map(({ path }) => path).join('\n')
    const before = this.#listed.get(project)
    this.#listed.set(project, now)
    if (before !== undefined && before !== now) this.#listChanged()
  }
}
