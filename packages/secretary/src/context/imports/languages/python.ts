import { foldersAbove, type LanguageImports, under } from '../language-imports.ts'

export const python: LanguageImports = {
  extensions: ['.py', '.pyi'],
  grammar: 'python',
  query: '(import_statement) @statement (import_from_statement) @statement',
  type: 'import',

  /** `from a import b` may name a module b or something within a: both are looked for. */
  specifiers(statement) {
    const [, module = '', names = ''] =
      /^from\s+([.\w]+)\s+import\s+(\S[\s\S]*)$/.exec(statement) ?? []
    if (!module) return namesOf(statement.replace(/^import\s+/, ''))
    const joint = module.endsWith('.') ? '' : '.'
    return [module, ...namesOf(names).map((name) => `${module}${joint}${name}`)]
  },

  async resolve(specifier, { file, tree }) {
    const [, dots = '', name = ''] = /^(\.*)([^.\n].*)?$/.exec(specifier) ?? []
    const path = name.replaceAll('.', '/')
    const above = foldersAbove(file)
    const folders = dots ? above.slice(dots.length - 1, dots.length) : ['', 'src', ...above]
    const candidates = folders.flatMap((folder) => {
      const base = path ? under(folder, path) : folder
      const modules = path ? [`${base}.py`, `${base}.pyi`] : []
      return [...modules, under(base, '__init__.py')]
    })
    return tree.firstFile(candidates)
  },
}

function namesOf(list: string): string[] {
  return list
    .replace(/[()\\]/g, ' ')
    .split(',')
    .map((part) => part.trim().split(/(?<!\s)\s+as\s+/)[0] ?? '')
    .filter((name) => /^[\w.]+$/.test(name))
}
