// The file: a line of JSON, the words (one a line), float32 scales, int8 rows; packages/search/src/embedder/static-embedder.ts reads it.
export function encodeTable(words, vectors, id) {
  const dimension = vectors[0].length
  const scales = new Float32Array(words.length)
  const rows = new Int8Array(words.length * dimension)
  vectors.forEach((vector, i) => {
    const peak = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1
    scales[i] = peak / 127
    vector.forEach((value, d) => {
      rows[i * dimension + d] = Math.round((value / peak) * 127)
    })
  })
  const text = Buffer.from(words.join('\n'), 'utf8')
  const head = Buffer.from(
    `${JSON.stringify({ id, dimension, words: words.length, textBytes: text.length })}\n`,
    'utf8',
  )
  return Buffer.concat([head, text, Buffer.from(scales.buffer), Buffer.from(rows.buffer)])
}
