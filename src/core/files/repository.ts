import { realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { readRegular } from './read-regular.ts'

const LARGEST = 1 << 20

/** Where a folder's repository is, and what tells that two folders belong to one. */
export interface Repository {
  readonly root: string
  /** The directory that all worktrees share. */
  readonly common: string
  readonly origin?: string
}

/** Reads git's own files: this is asked for every dialog, and a process for each would cost too much. */
export function repositoryOf(folder: string): Repository | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const common = commonDirectory(join(at, '.git'))
    if (common !== undefined) return { root: slashed(at), common, ...originOf(common) }
    if (dirname(at) === at) return undefined
  }
}

export function isSameRepository(one: Repository, other: Repository): boolean {
  return one.common === other.common || (one.origin !== undefined && one.origin === other.origin)
}

/**
 * The same for every clone of a project, on any machine: where it is published, and the folder within. A project that
 * is published nowhere is known by its folder alone.
 */
export function projectIdentity(folder: string, repository = repositoryOf(folder)): string {
  const { root, origin } = repository ?? {}
  // A clone of another folder is known where that folder is, and nowhere else.
  if (root === undefined || origin === undefined || !isPublished(origin)) return slashed(folder)
  const below = slashed(relative(root, folder))
  return below === '' ? origin : `${origin}/${below}`
}

/** What a project's rows are stored under: the same in every clone, on any machine. */
export function nameOfProject(folder: string): string {
  // What came from another machine has its name already.
  return isAbsolute(folder) ? projectIdentity(folder) : folder
}

/** What they may be stored under: rows of old go by the folder. */
export function namesOfProject(folder: string): string[] {
  return [...new Set([nameOfProject(folder), folder])]
}

/** Others can find it there; a path or a host of one's own network says nothing elsewhere. */
export function isPublished(origin: string): boolean {
  return /^[\w.-]+\.\w+\/./.test(origin) && !origin.startsWith('.')
}

function commonDirectory(git: string): string | undefined {
  try {
    // Asked several times in a call, of every folder above; an error that is thrown takes longer than the question.
    const found = statSync(git, { throwIfNoEntry: false })
    if (!found) return undefined
    if (found.isDirectory()) return slashed(realpathSync(git))
    const named = /^gitdir:\s*(.+)$/m.exec(textOrEmpty(git))?.[1]?.trim()
    if (!named) return undefined
    const own = resolve(dirname(git), named)
    const shared = textOrEmpty(join(own, 'commondir')).trim()
    return slashed(realpathSync(shared === '' ? own : resolve(own, shared)))
  } catch {
    return undefined
  }
}

function originOf(common: string): { origin?: string } {
  const config = textOrEmpty(join(common, 'config'))
  const url = /\[remote "origin"\][^[]*?\burl\s*=\s*(\S+)/.exec(config)?.[1]
  return url === undefined ? {} : { origin: plainUrl(url) }
}

/** One spelling for `git@host:owner/name.git`, `ssh://…` and `https://…`, without who asks. */
function plainUrl(url: string): string {
  const [, host, path] =
    /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([\w.-]+\.\w+)(?::\d+(?=\/))?[:/](.+)$/i.exec(url) ?? []
  const plain = host === undefined ? url : `${host.toLowerCase()}/${path}`
  return plain.replace(/\/+$/, '').replace(/\.git$/, '')
}

function textOrEmpty(path: string): string {
  try {
    return readRegular(path, LARGEST) ?? ''
  } catch {
    return ''
  }
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}
