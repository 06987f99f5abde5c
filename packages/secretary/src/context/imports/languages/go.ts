import {
  foldersAbove,
  type LanguageImports,
  MAX_FILES_OF_A_FOLDER,
  under,
} from '../language-imports.ts'

export const go: LanguageImports = {
  extensions: ['.go'],
  grammar: 'go',
  query: '(import_spec path: (_) @statement)',
  type: 'import',
  specifiers: (statement) => [statement.replace(/^["`]|["`]$/g, '')],

  /** A package is a folder below a module's; the nearest go.mod and those above it (a workspace) name the modules. */
  async resolve(specifier, { file, tree }) {
    for (const folder of foldersAbove(file)) {
      const manifest = await tree.text(under(folder, 'go.mod'))
      const home = manifest ? folderOf(specifier, manifest, folder) : undefined
      if (home === undefined) continue
      const files = await tree.filesIn(home)
      return files
        .filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'))
        .slice(0, MAX_FILES_OF_A_FOLDER)
        .map((name) => under(home, name))
    }
    return []
  },
}

function folderOf(specifier: string, manifest: string, folder: string): string | undefined {
  const module = /^[ \t]*module[ \t]+"?([^\s"]+)"?/m.exec(manifest)?.[1]
  const replaced = [
    ...manifest.matchAll(
      /^[ \t]*(?:replace[ \t]{1,20})?(\S{1,300})(?:[ \t]{1,20}v\S{1,100})?[ \t]{0,20}=>[ \t]{0,20}(\.\S*)/gm,
    ),
  ]
  const homes: (readonly [string | undefined, string])[] = [
    [module, '.'],
    ...replaced.map(([, name, path = '.']) => [name, path] as const),
  ]
  for (const [name, path] of homes) {
    if (name && specifier === name) return under(folder, path)
    if (name && specifier.startsWith(`${name}/`))
      return under(folder, `${path}/${specifier.slice(name.length + 1)}`)
  }
  return undefined
}
