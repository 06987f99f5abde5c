import { isProblem } from '../documents/document.ts'
import type { Shelf } from '../documents/library.ts'
import { isName } from '../names.ts'
import { findProfile } from './profiles.ts'
import type { Category, Collection } from './project.ts'

const MOST_DEFAULTS = 200
export const ALL_DOCUMENTS = '**/*'
/** The collection of what fits the project at hand. */
export const PROJECT_COLLECTION = 'project'

/** On the first day every top folder of the docroot is a category; its `_about.md` describes it. */
export function defaultCategories(shelf: Shelf): Category[] {
  return shelf.topFolders
    .filter(isName)
    .slice(0, MOST_DEFAULTS)
    .map((name) => ({
      name,
      dir: name,
      patterns: [ALL_DOCUMENTS],
      description: aboutOf(name, shelf),
      isDefault: true,
    }))
}

export function defaultCollections(
  categories: ReadonlyMap<string, Category>,
  active: readonly string[],
): Collection[] {
  const ofProfiles = active.flatMap((name) => findProfile(name)?.collections ?? [])
  const general: readonly Omit<Collection, 'isDefault'>[] = [
    {
      name: PROJECT_COLLECTION,
      categories: [
        ...new Set(
          ofProfiles.length > 0 ? ofProfiles.flatMap(({ items }) => items) : ['guidelines'],
        ),
      ],
      description: 'The rules that fit this project',
    },
    {
      name: 'quality',
      categories: ['guidelines', 'testing', 'review'],
      description: 'What makes a change good',
    },
    {
      name: 'shipping',
      categories: ['workflow', 'security', 'docs/changelog'],
      description: 'From a change to a release',
    },
  ]
  return general
    .map((collection) => ({
      ...collection,
      categories: collection.categories.filter((item) => categories.has(item.split('/')[0] ?? '')),
      isDefault: true,
    }))
    .filter((collection) => collection.categories.length > 0)
}

function aboutOf(folder: string, shelf: Shelf): string {
  const about = shelf.find(`${folder}/_about`)
  const read = about && shelf.read(about)
  return read && !isProblem(read) ? (read.description ?? '') : ''
}
