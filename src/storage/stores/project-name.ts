import { isAbsolute } from 'node:path'
import { projectIdentity } from '../../core/files/repository.ts'

/** What a person's rows are stored under: the same for every clone of a published project, on any machine. */
export function nameOfProject(folder: string): string {
  // What came from another machine has its name already.
  return isAbsolute(folder) ? projectIdentity(folder) : folder
}

/** What they may be stored under: rows of old go by the folder. */
export function namesOfProject(folder: string): string[] {
  return [...new Set([nameOfProject(folder), folder])]
}
