import { projectIdentity } from '../core/files/repository.ts'

/** What a project is called in spaces: first the name that is the same in every clone. Rows of old have the folder in which they were made. */
export function projectNames(folder: string): [string, ...string[]] {
  const identity = projectIdentity(folder)
  return identity === folder ? [identity] : [identity, folder]
}
