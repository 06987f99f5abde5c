import type { Reminders } from '../core/reminders.ts'
import type { Caller } from '../core/tool.ts'
import { isLeftOut } from './document-path.ts'
import { isProblem } from './documents/document.ts'
import { parseExpression } from './expression.ts'
import { type Found, gather, isFor } from './gather.ts'
import { loadGlobs } from './glob.ts'
import { isName, quoted } from './names.ts'
import { PROJECT_COLLECTION } from './project/defaults.ts'
import type { Project } from './project/project.ts'
import { inCategory, type Selected, select, uriOf } from './select.ts'

export interface Rule {
  readonly uri: string
  readonly title: string
  readonly line: string
}

export interface RulesInForce {
  readonly rules: readonly Rule[]
  readonly total: number
}

const LONGEST_LINE = 160

/**
 * What an agent has to obey here: the project's own documents, the categories that somebody stored for it,
 * and the collection that fits it. Documents that are only information are left out.
 */
export async function rulesInForce(project: Project, limit = 20): Promise<RulesInForce> {
  const globs = await loadGlobs()
  const own: Selected[] = [...project.categories.values()]
    .flatMap((category) => inCategory(category, category.patterns, project, globs).map((selected) => ({ selected, category })))
    .filter(({ selected, category }) => selected.file.layer === 'project' || !category.isDefault)
    .map(({ selected }) => selected)
  const fitting = project.collections.has(PROJECT_COLLECTION)
    ? select(parseExpression(PROJECT_COLLECTION), project, globs).selected
    : []
  const rules = [...gather([...own, ...fitting], project, project.shelf.read)]
    .filter((found): found is Found => !isProblem(found) && found.document.type === 'agent/instruction')
    .map(ruleOf)
  return { rules: rules.slice(0, limit), total: rules.length }
}

function ruleOf({ document, ...selected }: Found): Rule {
  return { uri: uriOf(selected), title: document.title, line: (document.description ?? '').slice(0, LONGEST_LINE) }
}

const SAY_AGAIN_AFTER_MS = 4 * 60 * 60 * 1000
const MOST_REMEMBERED = 5_000
const MOST_AT_ONCE = 2

/** Puts the rules for a file that was just read on the caller's next result, each once in a while. */
export class RuleReminders {
  readonly #reminders: Reminders
  readonly #open: (caller: Caller) => Promise<Project>
  readonly #now: () => number
  readonly #said = new Map<string, number>()

  constructor(reminders: Reminders, open: (caller: Caller) => Promise<Project>, now: () => number = Date.now) {
    this.#reminders = reminders
    this.#open = open
    this.#now = now
  }

  /** `path` is relative to the project's root, with forward slashes. */
  async fileRead(caller: Caller, path: string): Promise<void> {
    const project = await this.#open(caller)
    const globs = await loadGlobs()
    let left = MOST_AT_ONCE
    for (const file of project.shelf.files) {
      if (left === 0) return
      if (isLeftOut(file.path)) continue
      const document = project.shelf.read(file)
      if (isProblem(document) || document.appliesTo.length === 0 || !isFor(document, project)) continue
      if (!document.appliesTo.some((pattern) => globs.compile(pattern)(path))) continue
      if (!this.#isNews(`${caller.user}\0${project.key}\0${caller.session ?? ''}\0${document.path}`)) continue
      left--
      const name = document.path.replace(/\.\w+$/, '')
      const how = isName(name.split('/')[0] ?? '') && name.includes('/') ? ` Read it with get_content("${name}").` : ''
      this.#reminders.add(
        caller,
        `rule:${document.path}`,
        `${document.title} applies to ${quoted(path)}: ${document.description ?? ''}.${how}`,
      )
    }
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
