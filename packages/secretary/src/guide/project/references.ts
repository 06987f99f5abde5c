import { formatPart, parseExpression } from '../expression.ts'
import type { Selection, SelectionKind } from '../guide-store.ts'
import type { Project } from './project.ts'

/** The collections that name what is about to be called otherwise, as they must be then. */
export function followingCollections(
  project: Project,
  kind: SelectionKind,
  from: string,
  to: string,
): Selection[] {
  const naming = [...project.collections.values()].filter(
    ({ name, categories }) =>
      !(kind === 'collection' && name === from) &&
      meantIn(name, from, project) === kind &&
      categories.some((item) => parseExpression(item).some((part) => part.name === from)),
  )
  return naming.map(({ name, categories, description }) => ({
    kind: 'collection',
    name,
    dir: '',
    items: categories.map((item) => renamed(item, from, to)),
    description,
    removed: false,
  }))
}

/** A name is a collection first; inside a collection its own name means the category. */
function meantIn(collection: string, name: string, project: Project): SelectionKind {
  return project.collections.has(name) && collection !== name ? 'collection' : 'category'
}

function renamed(item: string, from: string, to: string): string {
  const parts = parseExpression(item).map((part) =>
    part.name === from ? { ...part, name: to } : part,
  )
  return parts.map(formatPart).join(',')
}
