import { createHash } from 'node:crypto'
import { posix, relative } from 'node:path'
import {
  projectIdentity,
  type Repository,
  repositoryOf,
} from '@secretary-mcp/core/files/repository.ts'

export interface NamedProject {
  /** Names the repository: the same for each clone of it, on any machine. */
  readonly repository: string
  /** The same for the folder in it. */
  readonly project: string
  /** The folder's path in the repository; empty for the whole of it. */
  readonly below: string
  readonly root: string
}

/**
 * What a folder is called where others may read it. One that is published nowhere has only its path on this machine, which
 * nobody is told: a hash of it still says whether two are the same.
 */
export function namedProject(folder: string, known?: Repository): NamedProject {
  const repository = known ?? repositoryOf(folder)
  const root = repository?.root ?? folder.replaceAll('\\', '/')
  const identity = projectIdentity(root, repository)
  const name = /^(?:\/|[a-z]:)/i.test(identity) ? `folder:${hash(identity)}` : identity
  const below = relative(root, folder).replaceAll('\\', '/')
  return { repository: name, project: below === '' ? name : `${name}/${below}`, below, root }
}

/** What a space may ask for: the name, or the folder itself of a project that is published nowhere. */
export function askedProject({ project, root, below }: NamedProject): string {
  return project.startsWith('folder:') ? posix.join(root, below) : project
}

/** Whether what is shared from one folder takes in another: the same, or one below it. */
export function isPartOf(project: string, whole: string): boolean {
  return project === whole || project.startsWith(`${whole}/`)
}

/** A path of a dialog's folder as one of the repository; undefined where it is outside. */
export function pathInRepository(path: string, { below, root }: NamedProject): string | undefined {
  const plain = path.replaceAll('\\', '/')
  const inside = plain.startsWith(`${root}/`)
    ? plain.slice(root.length + 1)
    : /^(?:\/|~|[a-z][a-z+.-]*:)/i.test(plain)
      ? undefined
      : posix.join(below, plain)
  if (inside === undefined) return undefined
  const normal = posix.normalize(inside)
  return normal === '.' || normal === '..' || normal.startsWith('../') ? undefined : normal
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
