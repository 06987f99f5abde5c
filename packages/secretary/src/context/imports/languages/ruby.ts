import { foldersAbove, type LanguageImports, under } from '../language-imports.ts'

export const ruby: LanguageImports = {
  extensions: ['.rb', '.rake', '.gemspec', '.ru'],
  grammar: 'ruby',
  query:
    '((call method: (identifier) @method) @statement (#match? @method "^(require|require_relative|load|autoload)$"))',
  type: 'require',

  specifiers(statement) {
    const [, method, path] =
      /^(require|require_relative|load|autoload)\b[^'"]*['"]([^'"#]+)['"]/.exec(statement) ?? []
    if (!path) return []
    return [method === 'require_relative' ? `./${path}` : path]
  },

  async resolve(specifier, { file, tree }) {
    const name = specifier.endsWith('.rb') ? specifier : `${specifier}.rb`
    const above = foldersAbove(file)
    if (specifier.startsWith('.')) return tree.firstFile([under(above[0] ?? '', name)])
    return tree.firstFile(
      above.flatMap((folder) => [
        under(folder, `lib/${name}`),
        under(folder, `app/${name}`),
        under(folder, name),
      ]),
    )
  },
}
