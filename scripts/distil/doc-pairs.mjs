// What people wrote about a piece of code, beside the code: read from documented source trees with the product's own chunker.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'

const SOURCE = new Set(['.go', '.rs', '.rb', '.py', '.ts', '.c', '.h'])
const LEFT_OUT_FOLDER = /^(testdata|tests?|fixtures|benches|vendor|stdarch|site-packages)$/
const LEFT_OUT_FILE = /_test\.go$|^test_|^zerrors|^zsyscall|^ztypes|tables\.go$/
const MAX_BYTES = 300_000
const MAX_DOC_WORDS = 60

/** Pairs `{ doc, code }`: a definition with its comment, and a file's outline with the comments of its parts. */
export async function docPairs(roots, chunker) {
  const pairs = []
  for (const path of roots.flatMap((root) => [...sources(root)])) {
    const content = readFileSync(path, 'utf8')
    if (/generated/i.test(content.slice(0, 500))) continue
    const chunks = await chunker.chunk(path, content)
    const title = path
      .replace(/\.\w+$/, '')
      .split('/')
      .slice(-2)
      .join(' ')
    const docs = []
    for (const chunk of chunks) {
      const { doc, code } = separated(chunk.content, path.endsWith('.py'))
      const words = doc.split(' ').length
      if (words >= 4) docs.push(doc)
      if (words >= 5 && chunk.symbols.length > 0 && code.trim().length > 20)
        pairs.push({ doc, code: `${title}\n${chunk.symbols.join('\n')}\n${code}` })
    }
    const outline = `${title} ${chunks
      .flatMap((chunk) => chunk.symbols)
      .join(' ')
      .slice(0, 4000)}`
    for (const doc of new Set([docs[0], docs[docs.length >> 1]]))
      if (doc && outline.split(' ').length > 5) pairs.push({ doc, code: outline })
  }
  return pairs
}

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !LEFT_OUT_FOLDER.test(entry.name)) yield* sources(path)
    else if (
      entry.isFile() &&
      SOURCE.has(extname(path)) &&
      !LEFT_OUT_FILE.test(entry.name) &&
      statSync(path).size < MAX_BYTES
    )
      yield path
  }
}

/** Comments and docstrings apart from code, line by line: good enough for tens of thousands of examples. */
function separated(text, isPython) {
  const doc = []
  const code = []
  let until
  for (const line of text.split('\n')) {
    const bare = line.trim()
    const quote = isPython && /^[ru]?("""|''')/.exec(bare)?.[1]
    if (until) {
      doc.push(bare.replace(/^\*+\/?/, '').replace(until, ''))
      if (bare.includes(until)) until = undefined
    } else if (quote) {
      const rest = bare.slice(bare.indexOf(quote) + 3)
      doc.push(rest.replace(quote, ''))
      if (!rest.includes(quote)) until = quote
    } else if (bare.startsWith('/*')) {
      doc.push(bare.replace(/^\/\*+/, '').replace('*/', ''))
      if (!bare.includes('*/')) until = '*/'
    } else if (/^(\/\/[/!]?|#(?!\[|!|include|define|if|el|endif|pragma|undef))/.test(bare))
      doc.push(bare.replace(/^(\/\/[/!]?|#)/, ''))
    else code.push(line)
  }
  return { doc: firstSentences(doc.join(' ')), code: code.join('\n') }
}

function firstSentences(doc) {
  const plain = doc
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/@(param|returns?|since|see|throws)[\s\S]*/, ' ')
    .replace(/copyright[\s\S]{0,400}/i, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  let kept = ''
  for (const sentence of plain.split(/(?<=[.!?])\s/)) {
    if (kept && `${kept}${sentence}`.split(' ').length > 45) break
    kept += `${sentence} `
  }
  return kept.trim().split(' ').slice(0, MAX_DOC_WORDS).join(' ')
}
