import {
  foldersAbove,
  type LanguageImports,
  MAX_FILES_OF_A_FOLDER,
  type ProjectTree,
  under,
} from '../language-imports.ts'

export const csharp: LanguageImports = {
  extensions: ['.cs'],
  grammar: 'c-sharp',
  query: '(using_directive) @statement',
  type: 'use',
  specifiers: (statement) => [
    statement
      .replace(/^(global\s{1,20})?using\s{1,20}(static\s{1,20})?([\w\s]{1,200}=)?/, '')
      .replace(/[;\s]/g, ''),
  ],

  /** Namespaces follow folders below a project file; the folder's files are what is imported. */
  async resolve(specifier, { file, tree }) {
    for (const folder of foldersAbove(file)) {
      const projects = [
        folder,
        ...(await tree.foldersIn(folder)).map((name) => under(folder, name)),
      ]
      for (const project of projects) {
        const name = await projectName(tree, project)
        if (!name || !`${specifier}.`.startsWith(`${name}.`)) continue
        const files = await filesOf(
          tree,
          project,
          specifier
            .slice(name.length + 1)
            .split('.')
            .filter(Boolean),
        )
        if (files.length > 0) return files
      }
    }
    return []
  },
}

async function projectName(tree: ProjectTree, folder: string): Promise<string | undefined> {
  const file = (await tree.filesIn(folder)).find((name) => name.endsWith('.csproj'))
  if (!file) return undefined
  const declared = /<RootNamespace>([^<]+)<\/RootNamespace>/.exec(
    await tree.text(under(folder, file)),
  )?.[1]
  return declared ?? file.slice(0, -'.csproj'.length)
}

/** The last part may be a type: then its file, else the files of the folder. */
async function filesOf(
  tree: ProjectTree,
  project: string,
  parts: readonly string[],
): Promise<string[]> {
  const folder = parts.length > 0 ? under(project, parts.join('/')) : project
  const files = (await tree.filesIn(folder)).filter((name) => name.endsWith('.cs'))
  if (files.length > 0)
    return files.slice(0, MAX_FILES_OF_A_FOLDER).map((name) => under(folder, name))
  return parts.length > 0 ? tree.firstFile([`${folder}.cs`]) : []
}
