import { isProblem } from './documents/document.ts'
import { parseExpression } from './expression.ts'
import { type Found, gather } from './gather.ts'
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
  const own: Selected[] = [...project.categories.values()]
    .flatMap((category) =>
      inCategory(category, category.patterns, project).map((selected) => ({
        selected,
        category,
      })),
    )
    .filter(({ selected, category }) => selected.file.layer === 'project' || !category.isDefault)
    .map(({ selected }) => selected)
    // What others share is read by whoever asks for it; it steers nobody's agent by itself.
    .filter(({ file }) => file.layer !== 'space')
  const fitting = project.collections.has(PROJECT_COLLECTION)
    ? select(parseExpression(PROJECT_COLLECTION), project).selected
    : []
  const rules = [...gather([...own, ...fitting], project, project.shelf.read)]
    .filter(
      (found): found is Found => !isProblem(found) && found.document.type === 'agent/instruction',
    )
    .map(ruleOf)
  return { rules: rules.slice(0, limit), total: rules.length }
}

function ruleOf({ document, ...selected }: Found): Rule {
  return {
    uri: uriOf(selected),
    title: document.title,
    line: (document.description ?? '').slice(0, LONGEST_LINE),
  }
}
