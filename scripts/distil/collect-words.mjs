// Counts the words of source trees, identifiers split, for distil-embeddings.mjs.
// Usage: node scripts/distil/collect-words.mjs OUT.tsv DIR...
// A word counts once for each file, so that one large generated file cannot make a word common.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'

const SOURCE = new Set(
  '.ts .js .mjs .cjs .md .rst .txt .py .h .c .cc .cpp .hpp .go .rs .java .rb .php .cs .sh'.split(
    ' ',
  ),
)
const MAX_BYTES = 300_000
const KEPT_WORDS = 16_000

const [out, ...roots] = process.argv.slice(2)
const counts = new Map()
let files = 0
for (const root of roots) visit(root)

const kept = [...counts]
  .filter(([, count]) => count >= 8)
  .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
writeFileSync(
  out,
  `#files\t${files}\n${kept
    .slice(0, KEPT_WORDS)
    .map((entry) => entry.join('\t'))
    .join('\n')}\n`,
)

function visit(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) visit(path)
    else if (
      entry.isFile() &&
      SOURCE.has(extname(entry.name)) &&
      !/\.min\.|bundle/.test(entry.name) &&
      statSync(path).size < MAX_BYTES
    )
      count(path)
  }
}

function count(path) {
  files++
  const spaced = readFileSync(path, 'utf8')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
  for (const word of new Set(spaced.toLowerCase().match(/[a-z]{2,24}/g) ?? []))
    counts.set(word, (counts.get(word) ?? 0) + 1)
}
