import type { Caller } from '@secretary-mcp/core/tool.ts'
import { type Document, isProblem, type Problem } from './documents/document.ts'
import { templateProblem } from './documents/parse-document.ts'
import type { Project } from './project/project.ts'
import { type Node, TemplateError } from './template/parse-template.ts'
import { type Data, renderTemplate } from './template/render-template.ts'

const LONGEST_DOCUMENT = 2 * 1024 * 1024

/** The document's text for this project and client, or what is wrong with it. */
export function renderDocument(
  document: Document,
  project: Project,
  caller: Caller,
): string | Problem {
  const partial = (name: string): readonly Node[] | undefined => {
    const file = project.shelf.find(name)
    const read = file && project.shelf.read(file)
    return read && !isProblem(read) ? read.nodes : undefined
  }
  try {
    return renderTemplate(document.nodes, {
      data: dataOf(project, caller),
      partial,
      longest: LONGEST_DOCUMENT,
    })
  } catch (error) {
    if (error instanceof TemplateError) return templateProblem(document.path, error)
    throw error
  }
}

export function activeProfiles({ profiles, detected }: Project): readonly string[] {
  return profiles.length > 0 ? profiles : detected
}

function dataOf(project: Project, caller: Caller): Data {
  return {
    project: {
      name: project.name,
      key: project.key,
      path: project.path,
      profiles: activeProfiles(project),
    },
    client: { name: caller.client ?? '' },
    flags: project.flags,
  }
}
