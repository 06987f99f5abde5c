export type Role =
  | 'test'
  | 'entry'
  | 'config'
  | 'docs'
  | 'types'
  | 'style'
  | 'data'
  | 'script'
  | 'core'

const CONFIG_NAMES =
  /^(package\.json|tsconfig.*\.json|pyproject\.toml|setup\.(py|cfg)|cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|gemfile|composer\.json|dockerfile|makefile|cmakelists\.txt|\..+|.+\.config\.[cm]?[jt]s|.+\.csproj|.+\.(ini|cfg|conf|properties))$/
const ENTRY_NAMES =
  /^(index|main|app|server|cli|__main__|__init__|mod|lib|program|application)\.[a-z]+$/

/** What a file is for, by its name alone; the first that fits. */
const RULES: readonly (readonly [Role, (path: string, name: string) => boolean])[] = [
  [
    'test',
    (path, name) => /(^|\/)(tests?|spec|__tests__|e2e|fixtures)\//.test(path) || isTestName(name),
  ],
  ['docs', (path, name) => /\.(md|mdx|rst|adoc|txt)$/.test(name) || /(^|\/)docs?\//.test(path)],
  ['types', (_, name) => /\.d\.[cm]?ts$|^types?\.[cm]?tsx?$|\.types?\.ts$/.test(name)],
  ['config', (_, name) => CONFIG_NAMES.test(name)],
  ['style', (_, name) => /\.(css|scss|sass|less)$/.test(name)],
  ['data', (_, name) => /\.(json|jsonc|ya?ml|toml|csv|tsv|xml|sql)$/.test(name)],
  [
    'script',
    (path, name) => /(^|\/)(scripts?|bin|tools)\//.test(path) || /\.(sh|bash|ps1|bat)$/.test(name),
  ],
  ['entry', (_, name) => ENTRY_NAMES.test(name)],
]

export function roleOf(path: string): Role {
  const small = path.toLowerCase()
  const name = small.slice(small.lastIndexOf('/') + 1)
  return RULES.find(([, fits]) => fits(small, name))?.[0] ?? 'core'
}

function isTestName(name: string): boolean {
  return /[._-](test|spec|tests)\.[a-z]+$|^test_.+\.py$|tests?\.(java|cs|kt|swift|php)$/.test(name)
}
