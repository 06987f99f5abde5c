import { foldersAbove, type LanguageImports, under } from '../language-imports.ts'

/** C and C++: no manifest tells the include paths, so the usual places are tried, nearest first. */
export const c: LanguageImports = {
  extensions: ['.c', '.h', '.cc', '.cpp', '.cxx', '.hh', '.hpp', '.hxx', '.inl', '.ipp'],
  grammar: 'cpp',
  query: '(preproc_include path: (_) @statement)',
  type: 'include',
  specifiers: (statement) => [statement.trim()],

  async resolve(specifier, { file, tree }) {
    const path = specifier.slice(1, -1)
    const above = foldersAbove(file)
    const own = specifier.startsWith('"') ? above.slice(0, 1) : []
    const usual = above.flatMap((folder) => [
      under(folder, 'include'),
      folder,
      under(folder, 'src'),
    ])
    return tree.firstFile([...own, ...usual].map((folder) => under(folder, path)))
  },
}
