import { lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { readRegular } from './read-inside.ts'

const MARKS = ['HEAD', 'objects', 'refs']

const MAX_SIZE = 1 << 20

/** Where a folder's repository is, and what tells that two folders belong to one. */
export interface Repository {
  readonly root: string
  /** The directory that all worktrees share, if the repository knows this folder as one of them; else the folder's own `.git`. */
  readonly common: string
  /** What the folder itself says; every folder can say it. */
  readonly origin?: string
}

/** Reads git's own files: this is asked for every dialog, and a process for each would cost too much. */
export function repositoryOf(folder: string): Repository | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = gitDirectory(join(at, '.git'))
    if (found) return { root: slashed(at), common: found.common, ...originOf(found.named) }
    if (dirname(at) === at) return undefined
  }
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

/** `named` is the directory that a folder points to, which may be anybody's. */
function gitDirectory(git: string): { common: string; named: string } | undefined {
  try {
    // Asked several times in a call, of every folder above; an error that is thrown takes longer than the question.
    const found = lstatSync(git, { throwIfNoEntry: false })
    if (!found) return undefined
    const own = slashed(join(realpathSync(dirname(git)), '.git'))
    // A link says only where it leads.
    if (found.isSymbolicLink()) return { common: own, named: slashed(realpathSync(git)) }
    if (found.isDirectory()) return { common: own, named: own }
    const text = /^gitdir:(.+)$/m.exec(textOrEmpty(git))?.[1]?.trim()
    if (!text) return undefined
    const worktree = realpathSync(resolve(dirname(git), text))
    const shared = textOrEmpty(join(worktree, 'commondir')).trim()
    const named = slashed(realpathSync(shared === '' ? worktree : resolve(worktree, shared)))
    return { common: isWorktreeOf(named, worktree, own) ? named : own, named }
  } catch {
    return undefined
  }
}

/** A `.git` file can name any repository; one of its own worktrees is listed in the repository, with the way back. */
function isWorktreeOf(named: string, worktree: string, git: string): boolean {
  const back = textOrEmpty(join(worktree, 'gitdir')).trim()
  if (back === '' || slashed(dirname(worktree)) !== `${named}/worktrees`) return false
  try {
    const place = resolve(worktree, back)
    return slashed(join(realpathSync(dirname(place)), basename(place))) === git
  } catch {
    return false
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
  return plain.replace(/(?<!\/)\/+$/, '').replace(/\.git$/, '')
}

function textOrEmpty(path: string): string {
  try {
    return readRegular(path, MAX_SIZE) ?? ''
  } catch {
    return ''
  }
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}

/** A git directory under another name than `.git`: its configuration can hold passwords. */
function isBareRepository(folder: string): boolean {
  return MARKS.every((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
}

export function hasMarksOfBareRepository(names: Iterable<string>): boolean {
  const there = new Set(names)
  return MARKS.every((name) => there.has(name))
}

/** Whether a file of the project is inside one; the path is relative to the root. */
export function isInBareRepository(root: string, path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (isBareRepository(join(root, folder))) return true
    if (folder === '.' || folder === dirname(folder)) return false
  }
}
