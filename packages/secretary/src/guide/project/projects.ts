import { Failure } from '@secretary-mcp/core/failure.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { isLeftOut, quoted } from '../names.ts'
import type { ProjectRecord } from '../store/guide-store.ts'
import {
  profiles as allProfiles,
  findProfile,
  type Project,
  type ProjectParts,
  recordOf,
  register,
} from './project.ts'

export interface ProjectView extends ProjectRecord {
  readonly profiles: readonly string[]
  readonly detected: readonly string[]
  readonly categories: readonly string[]
  readonly collections: readonly string[]
  /** Names alone; `list_project_flags` has the values. */
  readonly flags: readonly string[]
  readonly documents: number
  /** The project's own documents, where the person has not trusted them: they are not obeyed. */
  readonly untrusted: readonly string[]
}

export interface ProfileView {
  readonly name: string
  readonly description: string
  readonly used: boolean
  readonly fits: boolean
}

const MAX_PROJECTS = 100
const MAX_NAMES = 200

/** Which project this is, which others are known, and the ready sets for it. */
export class Projects {
  readonly #parts: ProjectParts

  constructor(parts: ProjectParts) {
    this.#parts = parts
  }

  async current(caller: Caller): Promise<Result<ProjectView>> {
    const project = await this.#parts.open(caller)
    return Result.ok(viewOf(project), { instruction: offerOf(project) })
  }

  async list(caller: Caller): Promise<Result<{ projects: ProjectRecord[] }>> {
    const current = recordOf(caller.project)
    // Where others work is not a member's business.
    const stored = caller.role === 'operator' ? await this.#parts.store.projects(MAX_PROJECTS) : []
    const known = stored.filter(({ key }) => key !== current.key)
    return Result.ok(
      { projects: [current, ...known] },
      {
        message: known.length >= MAX_PROJECTS - 1 ? `The first ${MAX_PROJECTS} by name` : undefined,
      },
    )
  }

  async listProfiles(caller: Caller): Promise<Result<{ profiles: ProfileView[] }>> {
    const { profiles: used, detected } = await this.#parts.open(caller)
    const profiles = allProfiles.map(({ name, description }) => ({
      name,
      description,
      used: used.includes(name),
      fits: detected.includes(name),
    }))
    return Result.ok({ profiles })
  }

  /** Adds what is missing and leaves the rest: a second time changes nothing. */
  async useProfile(
    caller: Caller,
    name: string,
  ): Promise<Result<{ profile: string; added: string[] }>> {
    const profile = requireProfile(name)
    const project = await this.#parts.open(caller)
    await register(this.#parts, project)
    const isNew = await this.#parts.store.addProfile(project.key, name)
    const added: string[] = []
    for (const { name: collection, items, description } of profile.collections) {
      if (project.collections.has(collection)) continue
      const selection = {
        kind: 'collection',
        name: collection,
        dir: '',
        items,
        description,
        removed: false,
      } as const
      if (await this.#parts.store.addSelection(project.key, selection)) added.push(collection)
    }
    if (isNew || added.length > 0) this.#parts.changed()
    return Result.ok(
      { profile: name, added },
      { message: isNew ? `Profile ${name} is in use` : `Profile ${name} was already in use` },
    )
  }

  /** What it added goes with it; what somebody else stored stays. */
  async dropProfile(caller: Caller, name: string): Promise<void> {
    const { collections } = requireProfile(name)
    const { store, open, changed } = this.#parts
    const project = await open(caller)
    for (const { name: collection, items } of collections) {
      const stored = project.collections.get(collection)
      if (stored && !stored.isDefault && stored.categories.join() === items.join())
        await store.deleteSelection(project.key, 'collection', collection)
    }
    await store.removeProfile(project.key, name)
    changed()
  }
}

function requireProfile(name: string) {
  const profile = findProfile(name)
  if (profile) return profile
  throw new Failure('not_found', `There is no profile ${quoted(name)}`, {
    instruction: `Do not guess. Known names: ${allProfiles.map((known) => known.name).join(', ')}.`,
  })
}

export function viewOf(project: Project): ProjectView {
  const { key, name, path, profiles, detected, categories, collections, flags, shelf } = project
  return {
    key,
    name,
    path,
    profiles,
    detected,
    categories: [...categories.keys()].sort().slice(0, MAX_NAMES),
    collections: [...collections.keys()].sort().slice(0, MAX_NAMES),
    flags: Object.keys(flags).slice(0, MAX_NAMES),
    documents: shelf.files.filter((file) => !isLeftOut(file.path)).length,
    untrusted: shelf.untrusted.slice(0, MAX_NAMES),
  }
}

/** On the first day nothing is configured: the person may like what fits. */
export function offerOf({ profiles, detected }: Project): string | undefined {
  const fitting = detected.filter((name) => !profiles.includes(name))
  return fitting.length > 0
    ? `Offer the person the profile ${fitting.join(', ')}; \`use_profile\` adds it.`
    : undefined
}
