import type { Reminders } from '@secretary-mcp/core/reminders.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Document } from './documents/document.ts'
import { compileGlob } from './glob.ts'
import { isName, quoted } from './names.ts'
import type { Project } from './project/project.ts'
import { chosenDocuments } from './rules.ts'

const SAY_AGAIN_AFTER_MS = 4 * 60 * 60 * 1000
const MOST_REMEMBERED = 5_000
const MOST_AT_ONCE = 2
/** Agents read files in bursts: for a reminder, the rules of a second ago are good enough. */
const FRESH_MS = 1_000

interface ReminderParts {
  readonly reminders: Reminders
  readonly open: (caller: Caller) => Promise<Project>
  /** The tool's name in this installation. */
  readonly getContent?: string
  readonly failed?: (error: unknown) => void
  readonly now?: () => number
}

interface Rules {
  readonly of: string
  readonly atMs: number
  readonly key: string
  readonly rules: readonly {
    readonly document: Document
    readonly appliesTo: readonly ((path: string) => boolean)[]
  }[]
}

/** Puts the rules for a file that was just read on the caller's next result, each once in a while. */
export class RuleReminders {
  readonly #reminders: Reminders
  readonly #open: (caller: Caller) => Promise<Project>
  readonly #getContent: string
  readonly #failed: (error: unknown) => void
  readonly #now: () => number
  readonly #said = new Map<string, number>()
  #latest?: Rules

  constructor(parts: ReminderParts) {
    const { reminders, open, getContent = 'get_content', failed = () => {}, now = Date.now } = parts
    this.#reminders = reminders
    this.#open = open
    this.#getContent = getContent
    this.#failed = failed
    this.#now = now
  }

  /** `path` is relative to the project's root, with forward slashes. Never rejects: a reminder must not cost the call it rides on. */
  async fileRead(caller: Caller, path: string): Promise<void> {
    await this.#remind(caller, path).catch(this.#failed)
  }

  async #remind(caller: Caller, path: string): Promise<void> {
    const { key, rules } = await this.#recently(caller)
    let left = MOST_AT_ONCE
    for (const { document, appliesTo } of rules) {
      if (left === 0) return
      if (!appliesTo.some((matches) => matches(path))) continue
      if (!this.#isNews(`${caller.user}\0${key}\0${caller.session ?? ''}\0${document.path}`))
        continue
      left--
      const name = document.path.replace(/\.\w+$/, '')
      const how =
        isName(name.split('/')[0] ?? '') && name.includes('/')
          ? ` Read it with ${this.#getContent}("${name}").`
          : ''
      this.#reminders.add(
        caller,
        `rule:${document.path}`,
        `${document.title} applies to ${quoted(path)}: ${document.description ?? ''}.${how}`,
      )
    }
  }

  async #recently(caller: Caller): Promise<Rules> {
    const now = this.#now()
    const latest = this.#latest
    if (latest?.of === caller.project && now - latest.atMs < FRESH_MS) return latest
    const project = await this.#open(caller)
    const rules = chosenDocuments(project).flatMap(({ document }) =>
      document.appliesTo.length === 0
        ? []
        : [{ document, appliesTo: document.appliesTo.map(compileGlob) }],
    )
    this.#latest = { of: caller.project, atMs: now, key: project.key, rules }
    return this.#latest
  }

  #isNews(key: string): boolean {
    const before = this.#said.get(key)
    const now = this.#now()
    if (before !== undefined && now - before < SAY_AGAIN_AFTER_MS) return false
    if (this.#said.size >= MOST_REMEMBERED) this.#said.clear()
    this.#said.set(key, now)
    return true
  }
}
