import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, relative } from 'node:path'
import { fullDiskFailure } from '@secretary-mcp/core/files/path-failure.ts'
import { type Repository, repositoryOf } from '@secretary-mcp/core/files/repository.ts'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { isWithin, projectNames, projectPath } from '@secretary-mcp/transcripts/project-path.ts'
import * as z from 'zod'
import type { Dialogs } from '../dialogs.ts'
import type { DeedStore, WorkPlace } from './deed-store.ts'

const MAX_CLONES = 3

/** Two clones that the person said are one project; it holds as long as both name this origin. */
const link = z.object({ clones: z.tuple([z.string(), z.string()]), origin: z.string().optional() })

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

type Clone = Pick<Repository, 'common' | 'origin'>

type Link = z.output<typeof link>

/**
 * Which clones the person confirmed to be the same project. A folder can name any origin, so nothing else shares the dialogs of one
 * clone with another.
 */
export class SameProjects {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Another one whenever a confirmation comes or goes. */
  get version(): string {
    return JSON.stringify(this.#read())
  }

  /** The clones that are the same project as this one, itself included, each by the directory that its worktrees share. */
  clonesOf({ common, origin }: Clone): ReadonlySet<string> {
    const links = this.#read().filter((one) => one.origin === origin)
    const found = new Set([common])
    for (const clone of found)
      for (const { clones } of links)
        if (clones.includes(clone)) for (const other of clones) found.add(other)
    return found
  }

  confirm(one: Clone, other: Clone): void {
    if (one.origin !== other.origin || this.clonesOf(one).has(other.common)) return
    const { origin } = one
    this.#write([
      ...this.#read(),
      { clones: [one.common, other.common], ...(origin === undefined ? {} : { origin }) },
    ])
  }

  /** Takes a clone out of everything that it was confirmed to be. */
  separate({ common }: Clone): void {
    this.#write(this.#read().filter(({ clones }) => !clones.includes(common)))
  }

  /** An unreadable file confirms nothing. */
  #read(): Link[] {
    try {
      return z.array(link).parse(JSON.parse(readFileSync(this.#path, 'utf8')))
    } catch {
      return []
    }
  }

  #write(links: readonly Link[]): void {
    const draft = `${this.#path}.${randomBytes(8).toString('hex')}`
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
      writeFileSync(draft, `${JSON.stringify(links, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
      renameSync(draft, this.#path)
    } catch (error) {
      throw fullDiskFailure(error)
    } finally {
      rmSync(draft, { force: true })
    }
  }
}

/** Names the clones whose dialogs are not shown, and how the person shows them. Says nothing of what is in them. */
export async function hintOfClones(
  { deeds, store }: Pick<Dialogs, 'deeds' | 'store'>,
  { project }: Pick<Caller, 'project'>,
): Promise<string | undefined> {
  const clones = await deeds.otherClones(project)
  const hints: string[] = []
  for (const { folder, projects } of clones.slice(0, MAX_CLONES)) {
    const { total } = await store.list({ projects, asked: true, limit: 1, offset: 0 })
    const count = total === 1 ? '1 dialog' : `${total} dialogs`
    const name = quoteLine(folder)
    if (total > 0)
      hints.push(`${count} of ${name} (same origin): \`secretary same-project ${shellWord(name)}\``)
  }
  const more = clones.length > MAX_CLONES ? `, and ${clones.length - MAX_CLONES} more clones` : ''
  return hints.length === 0 ? undefined : `Not shown: ${hints.join(', ')}${more}`
}

function shellWord(text: string): string {
  return /^[\w./:@~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
