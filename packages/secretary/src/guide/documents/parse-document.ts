import { type Node, parseTemplate, TemplateError } from '../template/parse-template.ts'
import type { Document, DocumentFile, Problem } from './document.ts'
import { FrontMatterError, type ParseYaml, splitFrontMatter } from './front-matter.ts'

/** A document from its text, or what is wrong with it. */
export function parseDocument(
  { path, layer }: Pick<DocumentFile, 'path' | 'layer'>,
  source: string,
  parseYaml: ParseYaml,
): Document | Problem {
  if (source.includes('\0'))
    return { document: path, error_type: 'file_read_error', error: 'it is not a text file' }
  try {
    const { front, body } = splitFrontMatter(source, parseYaml)
    const nodes: readonly Node[] = front.template
      ? parseTemplate(body)
      : [{ kind: 'text', text: body }]
    return {
      ...front,
      path,
      layer,
      title: front.title ?? headingOf(body) ?? stemOf(path),
      description: front.description ?? firstLineOf(body),
      body,
      nodes,
    }
  } catch (error) {
    if (error instanceof FrontMatterError)
      return { document: path, error_type: 'front_matter_error', error: error.message }
    if (error instanceof TemplateError) return templateProblem(path, error)
    throw error
  }
}

export function templateProblem(path: string, error: TemplateError): Problem {
  return {
    document: path,
    error_type: 'template_error',
    error: `${error.message}; \`template: false\` in its front matter keeps it as written`,
  }
}

/** The last part of a path without its extensions. */
export function stemOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.mustache$/i, '').replace(/\.\w+$/, '')
}

function headingOf(body: string): string | undefined {
  return /^#\s+(.{1,120})/m.exec(body)?.[1]?.trim()
}

function firstLineOf(body: string): string | undefined {
  return /^(?!#|---|```|\s*$)[^\n]{1,160}/m.exec(body.slice(0, 4_000))?.[0].trim()
}
