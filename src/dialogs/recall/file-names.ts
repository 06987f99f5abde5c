/** What a file's name may end in. Only known endings count: `e.g` and `3.5` are no files. */
const ENDINGS =
  'tsx?|[cm]?[jt]s|jsx|jsonc?|jsonl|mdx?|pyi?|rs|go|java|kts?|scala|swift|mm?|h|hpp|c|cc|cpp|cs|fs|rb|php|pl|lua|r|jl|dart|exs?|erl|clj|hs|ml|elm|vue|svelte|astro|html?|s?css|sass|less|sql|graphql|gql|proto|prisma|toml|ya?ml|xml|ini|cfg|conf|env|sh|bash|zsh|ps1|bat|tf|hcl|lock|gradle|cmake|txt|csv|svg|ipynb|arb|plist|sol|zig|nix|mk|tmpl|snap|feature|rst|adoc|po|resx|properties|csproj|sln'
const ENDING = new RegExp(`\\.(?:${ENDINGS})(?![\\w-])`, 'g')
const ENDED = new RegExp(`\\.(?:${ENDINGS})$`)
const IMPORT = /(?:from|import|require\()\s*\\?["']((?:\.{1,2}|[@~])\/[^"'\\\s]+)\\?["']/g
const NAME_SIGN = /[\w@./()[\]~$+-]/
const LONGEST_PATH = 160
/** `.test.ts` alone is a way to speak of files, no file. */
const NAMED = /(^|\/)(?!\.(?:test|spec|d)\.)[^/]*\w\.\w+$/
const FOREIGN = /(^|\/)(node_modules|\.git|site-packages|\.venv|__pycache__)\//

/** Mail addresses, names of products, and paths whose beginning was left out. */
const NO_FILE =
  /^[^/]*\w@[\w.-]+$|^(?:node|next|vue|nuxt|express|react|three|d3|socket|chart)\.(?:js|io)$|^process\.env$|^\.{3}/i

/** Paths and bare names of files in a piece of JSON, as its bytes have them. */
export function fileNamesIn(json: string): Set<string> {
  const text = json.replace(/\\\\|\\[nrt"]/g, (sign) => (sign === '\\\\' ? '/' : ' '))
  const names = new Set<string>()
  // From the ending backwards: a search from the front would go over long texts again and again.
  for (const { index, 0: ending } of text.matchAll(ENDING)) {
    let start = index
    while (start > 0 && index - start < LONGEST_PATH && NAME_SIGN.test(text[start - 1] ?? ''))
      start--
    const spelled = text.slice(start, index + ending.length).replace(/^[^\w@./]+|^@(?!.*\/)/, '')
    if (NAMED.test(spelled) && !FOREIGN.test(spelled) && !NO_FILE.test(spelled)) names.add(spelled)
  }
  return names
}

/** Names of files that source text imports by a path of its own; without an ending they get that of the importer. */
export function importedNames(json: string, ending: string): Set<string> {
  const names = new Set<string>()
  for (const [, path = ''] of json.matchAll(IMPORT)) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (name !== '') names.add(ENDED.test(name) ? name : `${name}${ending}`)
  }
  return names
}
