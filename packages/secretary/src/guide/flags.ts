import { Failure } from '@secretary-mcp/core/failure.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { type Flags, type FlagValue, flagScopeOf, knownFlags } from './flag-value.ts'
import { compileGlob, requirePattern } from './glob.ts'
import { ASK, requireFlagName } from './names.ts'
import { recordOf } from './project/project.ts'
import { bounded } from './schemas.ts'
import { GLOBAL_SCOPE, type GuideStore } from './store/guide-store.ts'

export interface FlagAnswer {
  readonly name: string
  readonly value: FlagValue | null
}

export interface FlagList {
  readonly flags: Record<string, FlagValue>
  readonly total: number
}

const MAX_FLAGS = 500

/** Typed switches of a project and of all projects. Every write is one statement: two processes lose none. */
export class FlagService {
  readonly #store: GuideStore
  readonly #changed: () => void
  readonly #now: () => Date

  constructor(store: GuideStore, changed = () => {}, now: () => Date = () => new Date()) {
    this.#store = store
    this.#changed = changed
    this.#now = now
  }

  async setProject(
    caller: Caller,
    name: string,
    value: FlagValue | null,
  ): Promise<Result<FlagAnswer>> {
    const project = recordOf(caller.project)
    check(name, value)
    await this.#store.register(project, this.#now().toISOString())
    return this.#set(flagScopeOf(caller, project.key), name, value)
  }

  /** As a person asks for it who saw the resolved value `before`: nothing that others set meanwhile is overwritten. */
  async changeProject(
    caller: Caller,
    name: string,
    { before, after }: { readonly before: FlagValue | null; readonly after: FlagValue | null },
  ): Promise<FlagAnswer> {
    const project = recordOf(caller.project)
    const scope = flagScopeOf(caller, project.key)
    check(name, after)
    await this.#store.register(project, this.#now().toISOString())
    const { projectFlags, globalFlags } = await this.#store.load(project.key, scope)
    const seen = { ...globalFlags, ...projectFlags }
    if (!isSame(valueIn(seen, name), before)) throw changedMeanwhile(name, valueIn(seen, name))
    const own = valueIn(projectFlags, name)
    if (own === null && after === null) return { name, value: valueIn(globalFlags, name) }
    if (own === null) checkRoom(projectFlags)
    const change = { before: own, after }
    if (await this.#store.swapFlag(scope, name, change, this.#now().toISOString())) {
      this.#changed()
      return { name, value: after ?? valueIn(globalFlags, name) }
    }
    throw changedMeanwhile(name, valueIn(await this.#resolved(caller), name))
  }

  setGlobal(name: string, value: FlagValue | null): Promise<Result<FlagAnswer>> {
    check(name, value)
    return this.#set(GLOBAL_SCOPE, name, value)
  }

  /** The project's own value, or else the global one. */
  async getProject(caller: Caller, name: string): Promise<Result<FlagAnswer>> {
    return answer(requireFlagName(name), await this.#resolved(caller))
  }

  async getGlobal(name: string): Promise<Result<FlagAnswer>> {
    return answer(requireFlagName(name), await this.#global())
  }

  async listProject(caller: Caller, pattern?: string): Promise<Result<FlagList>> {
    return listed(await this.#resolved(caller), pattern)
  }

  async listGlobal(pattern?: string): Promise<Result<FlagList>> {
    return listed(await this.#global(), pattern)
  }

  async #set(scope: string, name: string, value: FlagValue | null): Promise<Result<FlagAnswer>> {
    if (value === null) {
      const removed = await this.#store.removeFlag(scope, name)
      return Result.ok(
        { name, value },
        { message: removed ? `Flag ${name} removed` : `Flag ${name} was not set` },
      )
    }
    const { projectFlags, globalFlags } = await this.#store.load(scope, scope)
    const known = scope === GLOBAL_SCOPE ? globalFlags : projectFlags
    if (!Object.hasOwn(known, name)) checkRoom(known)
    await this.#store.setFlag(scope, name, value, this.#now().toISOString())
    return Result.ok({ name, value }, { message: `Flag ${name} set` })
  }

  async #resolved(caller: Caller): Promise<Flags> {
    const { key } = recordOf(caller.project)
    const { globalFlags, projectFlags } = await this.#store.load(key, flagScopeOf(caller, key))
    return { ...globalFlags, ...projectFlags }
  }

  async #global(): Promise<Flags> {
    return (await this.#store.load(GLOBAL_SCOPE, GLOBAL_SCOPE)).globalFlags
  }
}

function check(name: string, value: FlagValue | null): void {
  requireFlagName(name)
  const allowed = Object.hasOwn(knownFlags, name) ? knownFlags[name] : undefined
  if (allowed && value !== null && !(typeof value === 'string' && allowed.includes(value))) {
    throw new Failure('validation_error', `The flag ${name} must be one of ${allowed.join(', ')}`, {
      instruction: ASK,
    })
  }
}

function checkRoom(known: Flags): void {
  if (Object.keys(known).length < MAX_FLAGS) return
  throw new Failure('too_many', `There are ${MAX_FLAGS} flags already; remove some first`, {
    instruction: ASK,
  })
}

function valueIn(flags: Flags, name: string): FlagValue | null {
  return Object.hasOwn(flags, name) ? (flags[name] ?? null) : null
}

function isSame(one: FlagValue | null, other: FlagValue | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function changedMeanwhile(name: string, value: FlagValue | null): Failure {
  const now = value === null ? 'no longer set' : `now ${JSON.stringify(value)}`
  return new Failure('changed_meanwhile', `Flag ${name} was changed meanwhile: it is ${now}`, {
    data: { value },
  })
}

function answer(name: string, flags: Flags): Result<FlagAnswer> {
  const value = valueIn(flags, name)
  return Result.ok({ name, value }, value === null ? { message: `Flag ${name} is not set` } : {})
}

async function listed(flags: Flags, pattern?: string): Promise<Result<FlagList>> {
  const matches = pattern ? compileGlob(requirePattern(pattern)) : () => true
  const names = Object.keys(flags).filter((name) => matches(name))
  const { shown, next } = bounded(names, (name) => [name, flags[name] ?? false] as const)
  return Result.ok(
    { flags: Object.fromEntries(shown), total: names.length },
    {
      message:
        next === undefined
          ? undefined
          : `The first ${next} of ${names.length}; narrow them with a pattern`,
    },
  )
}
