import { type Document, type DocumentFile, isProblem, type Problem } from './documents/document.ts'
import { meets } from './flag-value.ts'
import { quoted } from './names.ts'
import type { Project } from './project/project.ts'
import type { Selected } from './select.ts'

export interface Found extends Selected {
  readonly document: Document
}

type Read = (file: DocumentFile) => Document | Problem

/** The documents that are for this project, each followed by those it includes, each once; and what is broken. */
export function* gather(
  selected: readonly Selected[],
  project: Project,
  read: Read,
): Generator<Found | Problem> {
  const seen = new Set<string>()
  const waiting = selected.toReversed()
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (seen.has(one.file.path)) continue
    seen.add(one.file.path)
    const document = read(one.file)
    if (isProblem(document)) {
      yield document
      continue
    }
    if (!isFor(document, project)) continue
    yield { file: one.file, category: one.category, document }
    if (document.includes.length === 0) continue
    for (const include of document.includes.toReversed()) {
      const file = project.shelf.find(include)
      if (file) waiting.push(included(file))
      else yield missing(document, include)
    }
  }
}

export function isFor({ requires }: Document, { flags }: Project): boolean {
  return Object.entries(requires).every(([name, wanted]) =>
    meets(wanted, Object.hasOwn(flags, name) ? flags[name] : undefined),
  )
}

function included(file: DocumentFile): Selected {
  const folder = file.path.includes('/') ? file.path.slice(0, file.path.indexOf('/')) : '.'
  return { file, category: { name: folder, dir: folder } }
}

function missing({ path }: Document, include: string): Problem {
  return {
    document: path,
    error_type: 'not_found',
    error: `it includes ${quoted(include)}, which does not exist`,
  }
}
