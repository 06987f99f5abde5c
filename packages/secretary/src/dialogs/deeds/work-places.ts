import { existsSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import { type Repository, repositoryOf } from '@secretary-mcp/core/files/repository.ts'
import { isWithin, projectNames, projectPath } from '@secretary-mcp/transcripts/project-path.ts'
import type { DeedStore, WorkPlace } from './deed-store.ts'

type Places = Pick<DeedStore, 'places' | 'sameProjects'>

/**
 * The folders whose dialogs count as a project's: its own, those below it, its worktrees, and the clones that the person confirmed to
 * be the same project.
 */
export async function placesOf(store: Places, project: string): Promise<WorkPlace[]> {
  return (await sortPlaces(store, project)).shared
}

/** Another clone that names the same origin, or claims to be a worktree, and is not confirmed. */
export interface OtherClone {
  /** Its root. */
  readonly folder: string
  readonly repository: Repository
  /** The folders in it in which agents worked. */
  readonly projects: readonly string[]
}

export async function otherClonesOf(store: Places, project: string): Promise<OtherClone[]> {
  const clones = new Map<string, OtherClone>()
  for (const { project: folder, repository } of (await sortPlaces(store, project)).others) {
    if (!repository) continue
    const projects = [...(clones.get(repository.root)?.projects ?? []), folder]
    clones.set(repository.root, { folder: repository.root, repository, projects })
  }
  return [...clones.values()]
}

async function sortPlaces(store: Places, project: string) {
  const repository = repositoryOf(project)
  const names = projectNames(project)
  const confirmed = repository && store.sameProjects?.clonesOf(repository)
  const shared: WorkPlace[] = []
  const others: WorkPlace[] = []
  for (const stored of await store.places()) {
    if (isWithin(stored.project, names)) {
      shared.push(stored)
      continue
    }
    if (!repository || !stored.repository || !isAlike(repository, stored.repository)) continue
    const place = asItIsNow(stored)
    if (!place.repository || !isAlike(repository, place.repository)) continue
    const { common, origin } = place.repository
    const isConfirmed = origin === repository.origin && confirmed?.has(common) === true
    if (common === repository.common || isConfirmed) shared.push(place)
    else others.push(place)
  }
  return { shared, others }
}

function isAlike(one: Repository, other: Repository): boolean {
  return one.common === other.common || (one.origin !== undefined && one.origin === other.origin)
}

/** What was stored about a folder that is gone stands; one that is there says itself what it is. */
function asItIsNow(place: WorkPlace): WorkPlace {
  return isAbsolute(place.project) && existsSync(place.project)
    ? { ...place, repository: repositoryOf(place.project) }
    : place
}

/** The spellings under which dialogs in these folders know a file. */
export function spellingsOf(path: string, project: string, places: readonly WorkPlace[]): string[] {
  const file = projectPath(path)
  const root = repositoryOf(project)?.root ?? projectPath(project)
  const inside = within(projectPath(root), file)
  const spelled = new Set<string>([file, path])
  for (const place of places) {
    const there =
      place.repository && inside !== undefined ? `${place.repository.root}/${inside}` : file
    for (const one of new Set([there, file])) {
      spelled.add(one)
      const below = within(place.project, one)
      if (below !== undefined) spelled.add(below)
    }
  }
  return [...spelled]
}

function within(folder: string, file: string): string | undefined {
  const path = relative(folder, file).replaceAll('\\', '/')
  return path === '' || path.startsWith('../') || path === '..' || /^[a-z]:/i.test(path)
    ? undefined
    : path
}
