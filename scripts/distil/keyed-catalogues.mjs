// Pairs from catalogues that name each message by a key and keep one file for each language: Java properties and JSON. The English file
// beside them says what a key means.

const ENGLISH = ['en', 'en-US', 'en_US', 'en-us', 'en_en']

/** Where the English for a file may be; `name` is a pattern of the spellings of its language. */
export function englishPaths(path, name) {
  const spelled = new RegExp(`(^|[/._-])(?:${name})(?=[/.])`, 'g')
  const named = ENGLISH.map((english) => path.replace(spelled, `$1${english}`))
  if (!path.endsWith('.properties')) return named
  const unnamed = path.replace(new RegExp(`_(?:${name})\\.properties$`), '.properties')
  return [...named, unnamed].map((one) => one.replace('resources-community', 'resources'))
}

export function propertyPairs(english, translated) {
  return paired(properties(english), properties(translated))
}

export function keyedJsonPairs(english, translated) {
  return paired(leaves(parsed(english)), leaves(parsed(translated)))
}

function paired(ours, theirs) {
  return [...theirs].map(([key, value]) => [ours.get(key), value])
}

export function parsed(text) {
  return JSON.parse(text.replace(/^\uFEFF/, ''))
}

/** Every text of a tree by its path; of a list of messages with ids, by id. */
function leaves(tree, prefix = '', found = new Map()) {
  for (const [key, value] of Object.entries(tree ?? {})) {
    const path = `${prefix}/${value?.id ?? key}`
    if (typeof value === 'string') found.set(path, value)
    else if (value && typeof value === 'object') leaves(value, path, found)
  }
  return found
}

function properties(text) {
  const found = new Map()
  for (const line of text.replace(/\\\r?\n\s*/g, '').split(/\r?\n/)) {
    const entry = /^\s*([^#!=:\s][^=:\s]*)\s*[=:]\s*(.*)$/.exec(line)
    if (!entry) continue
    const value = entry[2].replace(/\\u([0-9a-f]{4})/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    found.set(
      entry[1],
      value
        .replace(/\\[nt]/g, ' ')
        .replace(/\\(.)/g, '$1')
        .replaceAll("''", "'"),
    )
  }
  return found
}
