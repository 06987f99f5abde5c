import { Failure } from '@secretary-mcp/core/failure.ts'
import { requireFolder } from '../document-path.ts'
import { formatPart, parseExpression } from '../expression.ts'
import { requirePattern } from '../glob.ts'
import { ASK, quoted, requireDescription } from '../names.ts'
import { unknownName } from '../select.ts'
import type { Category, Collection, Project } from './project.ts'

export type CategoryView = Omit<Category, 'isDefault'>
export type CollectionView = Omit<Collection, 'isDefault'>
export type CategoryFields = Partial<Omit<CategoryView, 'name'>>
export type CollectionFields = Partial<Omit<CollectionView, 'name'>>

const MOST_ITEMS = 50

export function checkedCategory(
  base: CategoryView,
  { dir, patterns, description }: CategoryFields,
): CategoryView {
  return {
    name: base.name,
    dir: requireFolder(dir ?? base.dir),
    patterns: requireItems(patterns ?? base.patterns, 'patterns').map(requirePattern),
    description: requireDescription(description ?? base.description),
  }
}

export function checkedCollection(
  base: CollectionView,
  { categories, description }: CollectionFields,
  project: Project,
): CollectionView {
  const items = requireItems(categories ?? base.categories, 'categories')
  for (const part of items.flatMap((item) => parseExpression(item))) {
    if (
      !project.categories.has(part.name) &&
      !project.collections.has(part.name) &&
      part.name !== base.name
    ) {
      throw unknownName(part.name, project)
    }
    // Inside a collection its own name means the category of that name, where there is one.
    if (!project.categories.has(base.name) && reaches(part.name, base.name, project)) {
      throw new Failure(
        'cycle',
        `The collection ${base.name} would contain itself through ${quoted(formatPart(part))}`,
        {
          instruction: ASK,
        },
      )
    }
  }
  return {
    name: base.name,
    categories: items,
    description: requireDescription(description ?? base.description),
  }
}

function reaches(
  from: string,
  wanted: string,
  project: Project,
  seen = new Set<string>(),
): boolean {
  if (from === wanted) return true
  if (seen.has(from)) return false
  seen.add(from)
  const inner = project.collections.get(from)?.categories ?? []
  return inner
    .flatMap((item) => parseExpression(item))
    .some(({ name }) => reaches(name, wanted, project, seen))
}

function requireItems(items: readonly string[], what: string): readonly string[] {
  if (items.length > 0 && items.length <= MOST_ITEMS) return [...new Set(items)]
  throw new Failure('validation_error', `Give 1 to ${MOST_ITEMS} ${what}`, { instruction: ASK })
}
