import { Failure } from '@secretary-mcp/core/failure.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { requirePattern } from '../glob.ts'
import { ASK, quoted, requireDescription, requireFolder, requireName } from '../names.ts'
import { bounded, howToGoOn } from '../schemas.ts'
import { formatPart, parseExpression, unknownName } from '../select.ts'
import type { Selection, SelectionKind } from '../store/guide-store.ts'
import {
  ALL_DOCUMENTS,
  type Category,
  type Collection,
  type Project,
  type ProjectParts,
  register,
} from './project.ts'

const MAX_ITEMS = 50

type Renamed<Fields> = Fields & { readonly new_name?: string }

const MAX_SELECTIONS = 200

/** A project's categories and collections. What is not stored comes from the defaults. */
export class Selections {
  readonly #parts: ProjectParts

  constructor(parts: ProjectParts) {
    this.#parts = parts
  }

  async categories(
    caller: Caller,
    offset: number,
  ): Promise<Result<{ categories: CategoryView[]; total: number }>> {
    const all = [...(await this.#parts.open(caller)).categories.values()].sort(byName)
    const { shown, next } = bounded(all, categoryView, offset)
    return Result.ok(
      { categories: shown, total: all.length },
      { message: howToGoOn(all.length, next) },
    )
  }

  async collections(
    caller: Caller,
    offset: number,
  ): Promise<Result<{ collections: CollectionView[]; total: number }>> {
    const all = [...(await this.#parts.open(caller)).collections.values()].sort(byName)
    const { shown, next } = bounded(all, collectionView, offset)
    return Result.ok(
      { collections: shown, total: all.length },
      { message: howToGoOn(all.length, next) },
    )
  }

  async addCategory(
    caller: Caller,
    name: string,
    fields: CategoryFields,
  ): Promise<Result<CategoryView>> {
    const category = checkedCategory(
      {
        name: requireName(name, 'category'),
        dir: name,
        patterns: [ALL_DOCUMENTS],
        description: '',
      },
      fields,
    )
    const project = await this.#parts.open(caller)
    if (project.categories.has(name)) throw taken('category', name)
    await this.#add(project, {
      kind: 'category',
      ...category,
      items: category.patterns,
      removed: false,
    })
    return Result.ok(category, { message: `Category ${name} added` })
  }

  async addCollection(
    caller: Caller,
    name: string,
    fields: CollectionFields,
  ): Promise<Result<CollectionView>> {
    requireName(name, 'collection')
    const project = await this.#parts.open(caller)
    if (project.collections.has(name)) throw taken('collection', name)
    const collection = checkedCollection({ name, categories: [], description: '' }, fields, project)
    await this.#add(project, {
      kind: 'collection',
      ...collection,
      dir: '',
      items: collection.categories,
      removed: false,
    })
    return Result.ok(collection, { message: `Collection ${name} added` })
  }

  async changeCategory(
    caller: Caller,
    name: string,
    change: Renamed<CategoryFields>,
  ): Promise<Result<CategoryView>> {
    const { new_name: to, ...fields } = change
    const project = await this.#parts.open(caller)
    const category = checkedCategory(
      categoryView(required(project.categories, name, 'category')),
      fields,
    )
    const selection: Selection = {
      kind: 'category',
      ...category,
      items: category.patterns,
      removed: false,
    }
    const message = await this.#change(project, selection, fields, to)
    return Result.ok({ ...category, name: to ?? name }, { message: `Category ${name} ${message}` })
  }

  async changeCollection(
    caller: Caller,
    name: string,
    change: Renamed<CollectionFields>,
  ): Promise<Result<CollectionView>> {
    const { new_name: to, ...fields } = change
    const project = await this.#parts.open(caller)
    const collection = checkedCollection(
      collectionView(required(project.collections, name, 'collection')),
      fields,
      project,
    )
    const selection: Selection = {
      kind: 'collection',
      ...collection,
      dir: '',
      items: collection.categories,
      removed: false,
    }
    const message = await this.#change(project, selection, fields, to)
    return Result.ok(
      { ...collection, name: to ?? name },
      { message: `Collection ${name} ${message}` },
    )
  }

  async remove(
    caller: Caller,
    kind: SelectionKind,
    name: string,
  ): Promise<Result<{ removed: string }>> {
    const project = await this.#parts.open(caller)
    const known = required(entriesOf(project, kind), name, kind)
    if (project.defaults[kind].has(known.name)) {
      // Only a mark keeps a default away.
      const hidden: Selection = {
        kind,
        name: known.name,
        dir: '',
        items: [],
        description: '',
        removed: true,
      }
      await this.#put(project, hidden, { removed: true })
    } else {
      await this.#parts.store.deleteSelection(project.key, kind, known.name)
      this.#parts.changed()
    }
    return Result.ok(
      { removed: name },
      {
        message: `${kind === 'category' ? 'Category' : 'Collection'} ${name} removed; its documents stay`,
      },
    )
  }

  async #add(project: Project, selection: Selection): Promise<void> {
    if (project.categories.size + project.collections.size >= MAX_SELECTIONS) {
      throw new Failure(
        'too_many',
        `A project has at most ${MAX_SELECTIONS} categories and collections`,
        { instruction: ASK },
      )
    }
    await register(this.#parts, project)
    // Another process may have been faster since the project was opened.
    if (!(await this.#parts.store.addSelection(project.key, selection)))
      throw taken(selection.kind, selection.name)
    this.#parts.changed()
  }

  /** In its place, or under a new name that the collections which speak of it take over. Says what was done. */
  async #change(
    project: Project,
    selection: Selection,
    fields: object,
    to: string | undefined,
  ): Promise<string> {
    if (to === undefined && Object.values(fields).every((value) => value === undefined))
      throw new Failure('validation_error', 'Give at least one field to change')
    const { kind, name } = selection
    if (to === undefined || to === name) {
      await this.#put(project, selection, fields)
      return 'changed'
    }
    requireName(to, kind)
    // A name means one thing: what spoke of the old one must not mean something else afterwards.
    const holder = (['category', 'collection'] as const).find((one) =>
      entriesOf(project, one).has(to),
    )
    if (holder) throw taken(holder, to)
    const others = followingCollections(project, kind, name, to)
    const old = { name, hide: project.defaults[kind].has(name) }
    await register(this.#parts, project)
    const done = await this.#parts.store.renameSelection(
      project.key,
      { ...selection, name: to },
      old,
      others,
    )
    if (!done) throw taken(kind, to)
    this.#parts.changed()
    const followed =
      others.length > 0 ? `; changed with it: ${others.map((other) => other.name).join(', ')}` : ''
    return `is now ${to}${followed}`
  }

  async #put(project: Project, selection: Selection, fields: object): Promise<void> {
    const changed = Object.entries(fields).flatMap(([key, value]): (keyof Selection)[] => {
      if (value === undefined) return []
      return key === 'patterns' || key === 'categories' ? ['items'] : [key as keyof Selection]
    })
    await register(this.#parts, project)
    await this.#parts.store.putSelection(project.key, selection, changed)
    this.#parts.changed()
  }
}

function entriesOf(
  { categories, collections }: Project,
  kind: SelectionKind,
): ReadonlyMap<string, Category | Collection> {
  return kind === 'category' ? categories : collections
}

function required<T>(known: ReadonlyMap<string, T>, name: string, kind: SelectionKind): T {
  const found = known.get(requireName(name, kind))
  if (found) return found
  const names = [...known.keys()].slice(0, 30).join(', ')
  throw new Failure('not_found', `There is no ${kind} ${quoted(name)}`, {
    instruction: `Do not guess. Known names: ${names}.`,
  })
}

function taken(kind: SelectionKind, name: string): Failure {
  return new Failure('already_exists', `The ${kind} ${name} already exists`, {
    instruction: `Use \`${kind}_change\` to change it.`,
  })
}

function categoryView({ name, dir, patterns, description }: Category): CategoryView {
  return { name, dir, patterns, description }
}

function collectionView({ name, categories, description }: Collection): CollectionView {
  return { name, categories, description }
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1
}

/** The collections that name what is about to be called otherwise, as they must be then. */
function followingCollections(
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

type CategoryView = Omit<Category, 'isDefault'>

type CollectionView = Omit<Collection, 'isDefault'>

type CategoryFields = Partial<Omit<CategoryView, 'name'>>

type CollectionFields = Partial<Omit<CollectionView, 'name'>>

function checkedCategory(
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

function checkedCollection(
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
  if (items.length > 0 && items.length <= MAX_ITEMS) return [...new Set(items)]
  throw new Failure('validation_error', `Give 1 to ${MAX_ITEMS} ${what}`, { instruction: ASK })
}
