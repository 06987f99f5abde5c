import { posix } from 'node:path'
import {
  type ImportPlace,
  type LanguageImports,
  MAX_FILES_OF_A_FOLDER,
  under,
} from '../language-imports.ts'

const SOURCE_ROOTS = ['src/main/java', 'src/test/java', 'src']
const MAX_PROJECTS = 50

export const java: LanguageImports = {
  extensions: ['.java'],
  grammar: 'java',
  query: '(import_declaration) @statement',
  type: 'import',
  specifiers: (statement) => [
    statement.replace(/^import\s+(static\s+)?/, '').replace(/[;\s]/g, ''),
  ],

  async resolve(specifier, place) {
    const names = specifier.split('.')
    for (const root of await rootsOf(place)) {
      if (names.at(-1) === '*') {
        const folder = under(root, names.slice(0, -1).join('/'))
        const files = (await place.tree.filesIn(folder)).filter((name) => name.endsWith('.java'))
        if (files.length > 0)
          return files.slice(0, MAX_FILES_OF_A_FOLDER).map((name) => under(folder, name))
      }
      // A nested type or a static member stands behind the file's own name.
      const candidates = [0, 1, 2].map((inner) =>
        under(root, `${names.slice(0, names.length - inner).join('/')}.java`),
      )
      const found = await place.tree.firstFile(candidates)
      if (found.length > 0) return found
    }
    return []
  },
}

/** The importing file's own root, known from its package, then those of every project beside it. */
async function rootsOf({ file, text, tree }: ImportPlace): Promise<string[]> {
  const packagePath = (/^[ \t]*package[ \t]+([\w.]+)/m.exec(text)?.[1] ?? '').replaceAll('.', '/')
  const folder = posix.dirname(file)
  const own = folder.endsWith(packagePath)
    ? folder.slice(0, folder.length - packagePath.length).replace(/\/$/, '')
    : folder
  const projects = ['', ...(await tree.foldersIn('')).slice(0, MAX_PROJECTS)]
  const twin = own.replace('src/test/', 'src/main/')
  return [
    ...new Set([
      own,
      twin,
      ...projects.flatMap((project) => SOURCE_ROOTS.map((root) => under(project, root))),
    ]),
  ]
}
