import { foldersAbove, folderWith, type LanguageImports, under } from '../language-imports.ts'

export const php: LanguageImports = {
  extensions: ['.php'],
  grammar: 'php',
  query: `(namespace_use_declaration) @statement (require_expression) @statement (require_once_expression) @statement
    (include_expression) @statement (include_once_expression) @statement`,
  type: 'use',

  specifiers(statement) {
    if (!/^use\b/.test(statement)) {
      const [, here, path] = /(__DIR__\s*\.\s*)?['"]([^'"$]+)['"]/.exec(statement) ?? []
      return path ? [`${here ? './' : ''}${path.replace(/^\/+/, '')}`] : []
    }
    const names = statement
      .replace(/^use\s+(function\s+|const\s+)?|;\s*$/g, '')
      .replace(/(?<!\s)\s+as\s+\w+/g, '')
    const [, prefix = '', group] = /^([^{]*)\{([^}]*)\}/.exec(names) ?? []
    return (group ?? names)
      .split(',')
      .map((name) => `\\${(prefix + name.trim()).replace(/^\\/, '').trim()}`)
  },

  async resolve(specifier, { file, tree }) {
    if (!specifier.startsWith('\\')) {
      const above = foldersAbove(file)
      const folders = specifier.startsWith('./') ? above.slice(0, 1) : above
      return tree.firstFile(folders.map((folder) => under(folder, specifier)))
    }
    const home = await folderWith(tree, file, ['composer.json'])
    if (home === undefined) return []
    const name = specifier.slice(1)
    const mappings = psr4Of(await tree.text(under(home, 'composer.json'))).filter(([prefix]) =>
      name.startsWith(prefix),
    )
    const paths = mappings.flatMap(([prefix, folders]) =>
      folders.map(
        (folder) =>
          `${folder.replace(/\/?$/, '/')}${name.slice(prefix.length).replaceAll('\\', '/')}.php`,
      ),
    )
    return tree.firstFile(paths.map((path) => under(home, path)))
  },
}

/** Longest prefix first, as Composer's autoloader takes them. */
function psr4Of(manifest: string): [string, string[]][] {
  const found = new Map<string, string[]>()
  try {
    const parsed = JSON.parse(manifest) as Record<
      string,
      { 'psr-4'?: Record<string, string | string[]> } | undefined
    >
    for (const section of [parsed.autoload, parsed['autoload-dev']])
      for (const [prefix, folders] of Object.entries(section?.['psr-4'] ?? {}))
        found.set(prefix, [folders].flat())
  } catch {
    // A manifest that is being edited maps nothing for the moment.
  }
  return [...found].sort(([a], [b]) => b.length - a.length)
}
