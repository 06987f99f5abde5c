/** Why a file is less likely to be what a reader looks for, though its words match. Several may hold at once. */
export type FileRole =
  | 'test'
  | 'example'
  | 'compat'
  | 'declaration'
  | 'otherPlatform'
  | 'resource'
  | 'prose'

const TEST_FOLDER =
  /(^|\/)(tests?|__tests__|__mocks__|specs?|testdata|testing|fixtures?|mocks?|e2e|test-?utils?)\//
const TEST_NAME =
  /(^|\/)(test_[^/]{0,255}|conftest|[^/]{0,255}([._-](test|tests|spec|specs|mock|e2e)|_unittest))\.[^/]{1,255}$/
/** `commonTest/`, `SessionTests/`, `Store.Tests/`. */
const TEST_MODULE =
  /(^|\/)([\w.-]*[a-z0-9](Tests?|Specs?)|[\w.-]+\.([Uu]nit|[Ii]ntegration|[Ff]unctional)?([Tt]ests?|[Ss]pecs?))\//
const TEST_CLASS =
  /(Test|Tests|TestCase|Spec|Suite|IT)\.(java|kt|kts|cs|fs|scala|swift|php|groovy|hs|m|mm)$/
const EXAMPLE_FOLDER =
  /(^|[/ ])(examples?|samples?|demos?|benchmarks?|bench|playground|tutorials?|docs?)\//
const COMPAT = /(^|[/._-])(compat|legacy|deprecated|polyfills?|shims?|vendor|third_party)([/._-]|$)/
/** Headers of C++ are left alone: there the class itself is in them. */
const DECLARATION = /\.(h|pyi|d\.ts|d\.mts|mli|hrl)$/
const PROSE = /\.(md|mdx|markdown|rst|adoc)$/i
const RESOURCE = /\.(txt|json|jsonc|ya?ml|toml|xml|html?|css|scss|less|ini|cfg|properties)$/i

const PLATFORM_WORDS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/(^|[/._-])(win|win32|windows|msvc)([/._-]|$)/, ['win32']],
  [/(^|[/._-])(darwin|macos|osx|cocoa)([/._-]|$)/, ['darwin']],
  [/(^|[/._-])(aix|os390|ibmi|sunos|solaris|haiku|qnx|cygwin|wasi|android|ios)([/._-]|$)/, []],
]

/** `platform` is the one this machine has, in Node's words: code for another one matches as well but helps less. */
export function fileRoles(path: string, platform: string): FileRole[] {
  const lower = path.toLowerCase()
  const roles: FileRole[] = []
  if (
    TEST_FOLDER.test(lower) ||
    TEST_NAME.test(lower) ||
    TEST_MODULE.test(path) ||
    TEST_CLASS.test(path)
  )
    roles.push('test')
  if (EXAMPLE_FOLDER.test(lower)) roles.push('example')
  if (COMPAT.test(lower)) roles.push('compat')
  if (DECLARATION.test(lower)) roles.push('declaration')
  if (PROSE.test(lower)) roles.push('prose')
  if (RESOURCE.test(lower)) roles.push('resource')
  if (
    PLATFORM_WORDS.some(
      ([pattern, platforms]) => pattern.test(lower) && !platforms.includes(platform),
    )
  )
    roles.push('otherPlatform')
  return roles
}

/** Folders that only hold modules and are none themselves. */
const CONTAINERS = new Set(
  'src source sources lib libs app apps packages crates modules internal pkg cmd server client backend frontend api web main core-src test tests spec __tests__ examples'.split(
    ' ',
  ),
)
const JVM_ROOT = /(^|\/)src\/(main|test)\/(java|kotlin|scala|groovy)\//

/** The part of the project a file belongs to: the first folder that is more than a container. */
export function moduleOf(path: string): string {
  const folders = path.split('/').slice(0, -1)
  // Package folders such as com/acme say nothing: there the innermost folder is the module.
  if (JVM_ROOT.test(path)) return folders.at(-1) ?? 'root'
  return (
    folders.find((folder) => !CONTAINERS.has(folder.toLowerCase())) ??
    folders.at(-1)?.replace(/^(src|lib)$/, 'root') ??
    'root'
  )
}
