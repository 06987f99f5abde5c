import { Failure } from '@secretary-mcp/core/failure.ts'
import type { ResourceEntry, ResourceProvider } from '@secretary-mcp/core/prompts-and-resources.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { findCommand, type OpenTasks } from './commands.ts'
import { isProblem } from './documents/document.ts'
import { patternFault } from './glob.ts'
import type { Guide } from './guide.ts'
import { isName } from './names.ts'
import type { Project } from './project/project.ts'
import { renderDocument } from './render-document.ts'
import { inCategory, isFor, select, uriOf } from './select.ts'

export const SCHEME = 'guide'
export const MARKDOWN = 'text/markdown'
const TEMPLATE = 'guide://{collection}/{+document}'
const MAX_LISTED = 2_000

/** Documents and commands by address: `guide://lang/python.md`, `guide://_status`. */
export function createGuideResources(guide: Guide): ResourceProvider {
  return {
    scheme: SCHEME,
    templates: [
      {
        uriTemplate: TEMPLATE,
        name: 'guide document',
        description:
          'A document of a collection or category; guide://_status and the like are commands',
        mimeType: MARKDOWN,
      },
    ],
    list: async (caller) => entriesOf(await guide.open(caller)),
    async read(uri, caller) {
      const text = await readGuideUri(uri, await guide.open(caller), caller, guide.openTasks)
      return text === undefined ? undefined : { mimeType: MARKDOWN, text }
    },
    async complete(_template, variable, typed, caller) {
      const project = await guide.open(caller)
      const known = variable === 'collection' ? namesOf(project) : await documentsOf(project)
      return known.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()))
    },
  }
}

/** The text behind an address; undefined where there is none. */
export async function readGuideUri(
  uri: string,
  project: Project,
  caller: Caller,
  openTasks: OpenTasks,
): Promise<string | undefined> {
  const address = decoded(uri)
  if (address === undefined) return undefined
  if (address.startsWith('_'))
    return findCommand(address.slice(1))?.run({ project, caller, openTasks })
  const [name = '', ...rest] = address.split('/').filter((part) => part !== '')
  const path = rest.join('/')
  const selected = await selectedBy(name, path, project)
  const texts = selected.map((file) => {
    const document = project.shelf.read(file)
    const text = isProblem(document) ? document : renderDocument(document, project, caller)
    if (typeof text === 'string') return text
    throw new Failure(text.error_type, `${text.document}: ${text.error}`, {
      instruction: 'Tell the person which document is broken.',
    })
  })
  return texts.length > 0 ? texts.join('\n') : undefined
}

async function selectedBy(name: string, path: string, project: Project) {
  const isKnown = project.collections.has(name) || project.categories.has(name)
  if (isName(name) && isKnown && (path === '' || patternFault(path) === undefined)) {
    const { selected } = select([{ name, patterns: path === '' ? undefined : [path] }], project)
    const meant = selected.filter(({ file }) => {
      const read = project.shelf.read(file)
      return isProblem(read) || isFor(read, project)
    })
    if (meant.length > 0) return meant.map(({ file }) => file)
  }
  const file = project.shelf.find(path === '' ? name : `${name}/${path}`)
  return file ? [file] : []
}

function decoded(uri: string): string | undefined {
  const prefix = `${SCHEME}://`
  if (!uri.startsWith(prefix) || uri.length > 1_000) return undefined
  try {
    return decodeURIComponent(uri.slice(prefix.length))
  } catch {
    return undefined
  }
}

async function entriesOf(project: Project): Promise<ResourceEntry[]> {
  const entries = new Map<string, ResourceEntry>()
  for (const category of project.categories.values()) {
    for (const selected of inCategory(category, category.patterns, project)) {
      const { file } = selected
      const read = project.shelf.read(file)
      if (
        entries.has(file.path) ||
        entries.size >= MAX_LISTED ||
        isProblem(read) ||
        !isFor(read, project)
      )
        continue
      entries.set(file.path, {
        uri: uriOf(selected),
        name: file.path,
        title: read.title,
        description: read.description,
        mimeType: MARKDOWN,
      })
    }
  }
  return [...entries.values()]
}

function namesOf({ collections, categories }: Project): string[] {
  return [...new Set([...collections.keys(), ...categories.keys()])].sort()
}

async function documentsOf(project: Project): Promise<string[]> {
  const entries = await entriesOf(project)
  return [...new Set(entries.map(({ uri }) => uri.replace(/^guide:\/\/[^/]+\//, '')))].sort()
}
