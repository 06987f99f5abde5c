import { isProblem } from './documents/document.ts'
import { parseExpression } from './expression.ts'
import { PROJECT_COLLECTION, type Project } from './project/project.ts'
import { type Found, gather, inCategory, type Selected, select, uriOf } from './select.ts'

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

/** What an agent has to obey here. Documents that are only information are left out. */
export function rulesInForce(project: Project, limit = 20): RulesInForce {
  const rules = chosenDocuments(project)
    .filter(({ document }) => document.type === 'agent/instruction')
    .map(ruleOf)
  return { rules: rules.slice(0, limit), total: rules.length }
}

/**
 * The documents that somebody wrote or chose for this project: its own, the person's own, those of stored categories, and those that fit it
 * once somebody chose a profile or stored the collection. The starter documents are a library: none of them is a rule by itself. What a
 * space shares is read by whoever asks for it and steers nobody's agent.
 */
export function chosenDocuments(project: Project): Found[] {
  const own: Selected[] = [...project.categories.values()].flatMap((category) =>
    inCategory(category, category.patterns, project).filter(
      ({ file }) =>
        file.layer === 'project' ||
        file.layer === 'user' ||
        (!category.isDefault && file.layer !== 'space'),
    ),
  )
  const collection = project.collections.get(PROJECT_COLLECTION)
  const isChosen = collection && (!collection.isDefault || project.profiles.length > 0)
  const fitting = isChosen ? select(parseExpression(PROJECT_COLLECTION), project).selected : []
  return [...gather([...own, ...fitting], project, project.shelf.read)].filter(
    (found): found is Found => !isProblem(found),
  )
}

function ruleOf({ document, ...selected }: Found): Rule {
  return {
    uri: uriOf(selected),
    title: document.title,
    line: (document.description ?? '').slice(0, LONGEST_LINE),
  }
}
