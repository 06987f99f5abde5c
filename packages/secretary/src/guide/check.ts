import { type Document, type DocumentFile, isProblem } from './documents/document.ts'
import { type Node, stemOf } from './documents/parse-document.ts'
import { knownFlags } from './flag-value.ts'
import type { Project } from './project/project.ts'

export interface Finding {
  readonly document: string
  readonly kind: 'broken' | 'include' | 'flag' | 'duplicate' | 'collection'
  readonly text: string
}

/** Everything that a person should fix in the documents of a project. */
export function checkGuide(project: Project): Finding[] {
  const perDocument = project.shelf.files.flatMap((file) => {
    const read = project.shelf.read(file)
    if (isProblem(read))
      return [{ document: file.path, kind: 'broken', text: read.error } satisfies Finding]
    return [...brokenIncludes(read, project), ...unknownFlags(read, project)]
  })
  return [...perDocument, ...duplicates(project.shelf.files), ...brokenCollections(project)]
}

function brokenIncludes(document: Document, { shelf }: Project): Finding[] {
  return [...document.includes, ...partialsIn(document.nodes)]
    .filter((path) => shelf.find(path) === undefined)
    .map((path) => ({
      document: document.path,
      kind: 'include',
      text: `includes ${path}, which does not exist`,
    }))
}

function partialsIn(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'partial') return [node.name]
    return node.kind === 'section' ? partialsIn(node.nodes) : []
  })
}

function unknownFlags({ path, requires }: Document, { flags }: Project): Finding[] {
  return Object.keys(requires)
    .filter((name) => !Object.hasOwn(flags, name) && !Object.hasOwn(knownFlags, name))
    .map((name) => ({
      document: path,
      kind: 'flag',
      text: `requires the flag ${name}, which is not set`,
    }))
}

/** `python.md` beside `python.txt`, or `Go.md` beside `go.md`: one name, two documents. */
function duplicates(files: readonly DocumentFile[]): Finding[] {
  const first = new Map<string, string>()
  return files.flatMap(({ path }): Finding[] => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const key = (folder + stemOf(path)).toLowerCase()
    const other = first.get(key)
    if (other === undefined) first.set(key, path)
    return other === undefined
      ? []
      : [{ document: path, kind: 'duplicate', text: `has the same name as ${other}` }]
  })
}

function brokenCollections({ collections, categories }: Project): Finding[] {
  return [...collections.values()].flatMap(({ name, categories: items }) =>
    items
      .flatMap((item) => item.split(',').map((part) => part.trim().split('/')[0] ?? ''))
      .filter((part) => !collections.has(part) && !categories.has(part))
      .map(
        (part): Finding => ({
          document: name,
          kind: 'collection',
          text: `names ${part}, which does not exist`,
        }),
      ),
  )
}
