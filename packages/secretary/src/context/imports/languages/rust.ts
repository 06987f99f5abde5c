import {
  folderWith,
  type ImportPlace,
  type LanguageImports,
  type ProjectTree,
  under,
} from '../language-imports.ts'

export const rust: LanguageImports = {
  extensions: ['.rs'],
  grammar: 'rust',
  query: '(mod_item !body) @statement (use_declaration) @statement',
  type: 'use',

  specifiers(statement) {
    const module = /\bmod\s+(?:r#)?(\w+)\s*;/.exec(statement)?.[1]
    if (module) return [`self::${module}`]
    const use = /\buse\s+([^\s;][^;]{0,8000});/.exec(statement)?.[1]
    return use ? expandUse(use.replace(/(?<!\s)\s+as\s+\w+/g, '').replace(/\s+/g, '')) : []
  },

  async resolve(specifier, place) {
    const root = await folderWith(place.tree, place.file, ['lib.rs', 'main.rs'])
    if (root === undefined) return []
    const own = moduleOfFile(place.file, root)
    const [first = '', ...rest] = specifier.replace(/^::/, '').split('::')
    if (first === 'crate') return deepest(place.tree, root, rest, true)
    if (first === 'self') return deepest(place.tree, root, [...own, ...rest], false, own.length)
    if (first === 'super') {
      const ups = 1 + rest.findIndex((part) => part !== 'super')
      return deepest(
        place.tree,
        root,
        [...own.slice(0, Math.max(0, own.length - ups)), ...rest.slice(ups - 1)],
        true,
      )
    }
    const child = await deepest(place.tree, root, [...own, first, ...rest], false, own.length)
    return child.length > 0 ? child : neighbourCrate(first, rest, place)
  },
}

/** `a::{b, c::{d, e}}` names a::b, a::c::d and a::c::e. */
function expandUse(use: string): string[] {
  const open = use.indexOf('{')
  if (open < 0) return [use.replace(/::\*$/, '')]
  const prefix = use.slice(0, open)
  return splitTop(use.slice(open + 1, use.lastIndexOf('}'))).flatMap((part) =>
    part === 'self' ? [prefix.replace(/::$/, '')] : expandUse(prefix + part),
  )
}

function splitTop(list: string): string[] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const sign of list) {
    if (sign === '{') depth++
    if (sign === '}') depth--
    if (sign === ',' && depth === 0) {
      parts.push(part)
      part = ''
    } else part += sign
  }
  return [...parts, part].filter(Boolean)
}

function moduleOfFile(file: string, root: string): string[] {
  const below = (root === '' ? file : file.slice(root.length + 1)).replace(/\.rs$/, '').split('/')
  const last = below.at(-1)
  return last === 'mod' || (below.length === 1 && (last === 'lib' || last === 'main'))
    ? below.slice(0, -1)
    : below
}

/** The last parts of a path name items within a file: the longest beginning that is a file counts. */
async function deepest(
  tree: ProjectTree,
  root: string,
  path: readonly string[],
  orRoot: boolean,
  beyond = 0,
): Promise<string[]> {
  for (let count = path.length; count > beyond; count--) {
    const base = under(root, path.slice(0, count).join('/'))
    const found = await tree.firstFile([`${base}.rs`, `${base}/mod.rs`])
    if (found.length > 0) return found
  }
  return orRoot ? tree.firstFile([under(root, 'lib.rs'), under(root, 'main.rs')]) : []
}

/** A crate of the same workspace, by its `path` in the manifest. */
async function neighbourCrate(
  name: string,
  rest: readonly string[],
  { file, tree }: ImportPlace,
): Promise<string[]> {
  const home = await folderWith(tree, file, ['Cargo.toml'])
  if (home === undefined) return []
  const spelled = name.replaceAll('_', '[-_]')
  for (const folder of new Set([home, ''])) {
    const manifest = await tree.text(under(folder, 'Cargo.toml'))
    const path = new RegExp(
      `^[ \\t]*"?${spelled}"?\\s*=\\s*\\{[^}\\n]*\\bpath\\s*=\\s*"([^"]+)"|^\\[[\\w.-]*dependencies\\.${spelled}\\][^[]*?\\bpath\\s*=\\s*"([^"]+)"`,
      'm',
    ).exec(manifest)
    const where = path?.[1] ?? path?.[2]
    if (where) return deepest(tree, under(folder, `${where}/src`), rest, true)
  }
  return []
}
