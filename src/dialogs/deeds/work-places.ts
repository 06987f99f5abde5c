import { relative } from 'node:path'
import { isSameRepository, repositoryOf } from '../../core/files/repository.ts'
import { projectNames, projectPath } from '../project-path.ts'
import type { DeedStore, WorkPlace } from './deed-store.ts'

/** The folders whose dialogs count as a project's: its own, those below it, its worktrees and its other clones. */
export async function placesOf(
  store: Pick<DeedStore, 'places'>,
  project: string,
): Promise<WorkPlace[]> {
  const repository = repositoryOf(project)
  const names = projectNames(project)
  return (await store.places()).filter(
    (place) =>
      names.some((name) => place.project === name || place.project.startsWith(`${name}/`)) ||
      (repository && place.repository && isSameRepository(repository, place.repository)),
  )
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
