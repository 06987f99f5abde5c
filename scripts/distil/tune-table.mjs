// Moves the word vectors so that what is written about code comes to lie near the code: contrastive learning with the other
// pairs of a batch as negatives. The table starts as the distilled model and is drawn back to it, so it stays a table of English.
const EPOCHS = 3
const BATCH = 512
const TEMPERATURE = 0.1
const STEP = 0.1
const DRAW_BACK = 0.001

/** `pairs` are `[docRows, codeRows]`; `table` is changed in place. */
export function tuneTable(table, dimension, pairs, report) {
  const start = Float32Array.from(table)
  const gradient = new Float32Array(table.length)
  const moment = new Float32Array(table.length)
  const square = new Float32Array(table.length)
  const size = table.reduce((sum, value) => sum + Math.abs(value), 0) / table.length
  const random = generator(7)
  const steps = EPOCHS * Math.floor(pairs.length / BATCH)
  let step = 0
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const order = shuffled(pairs.length, random)
    let loss = 0
    for (let at = 0; at + BATCH <= order.length; at += BATCH) {
      const batch = order.slice(at, at + BATCH).map((i) => pairs[i])
      gradient.fill(0)
      loss += batchGradient(batch, table, dimension, gradient)
      step++
      adam(STEP * size * (1 - step / (steps + 1)), step)
      report(`epoch ${epoch + 1}: loss ${(loss / (at / BATCH + 1)).toFixed(3)}`)
    }
  }

  function adam(rate, t) {
    const first = 1 - 0.9 ** t
    const second = 1 - 0.99 ** t
    for (let i = 0; i < table.length; i++) {
      moment[i] = 0.9 * moment[i] + 0.1 * gradient[i]
      square[i] = 0.99 * square[i] + 0.01 * gradient[i] * gradient[i]
      table[i] -=
        (rate * (moment[i] / first)) / (Math.sqrt(square[i] / second) + 1e-9) +
        DRAW_BACK * (table[i] - start[i])
    }
  }
}

function batchGradient(batch, table, dimension, gradient) {
  const n = batch.length
  const docs = batch.map(([rows]) => mean(rows, table, dimension))
  const codes = batch.map(([, rows]) => mean(rows, table, dimension))
  const scores = docs.map((doc) =>
    Float32Array.from(codes, (code) => dot(doc.unit, code.unit) / TEMPERATURE),
  )
  const byRow = scores.map((row) => softmax(row))
  const columns = Array.from({ length: n }, (_, j) =>
    softmax(Float32Array.from(scores, (row) => row[j])),
  )
  const docPull = batch.map(() => new Float32Array(dimension))
  const codePull = batch.map(() => new Float32Array(dimension))
  let loss = 0
  for (let i = 0; i < n; i++) {
    loss -= Math.log(byRow[i][i] + 1e-9) / n
    for (let j = 0; j < n; j++) {
      const weight = ((byRow[i][j] + columns[j][i]) / 2 - (i === j ? 1 : 0)) / (n * TEMPERATURE)
      add(docPull[i], codes[j].unit, weight)
      add(codePull[j], docs[i].unit, weight)
    }
  }
  for (let i = 0; i < n; i++) {
    spread(batch[i][0], docs[i], docPull[i], dimension, gradient)
    spread(batch[i][1], codes[i], codePull[i], dimension, gradient)
  }
  return loss
}

/** The pull on a normalised sum, handed on to each of its words. */
function spread(rows, { unit, norm }, pull, dimension, gradient) {
  add(pull, unit, -dot(pull, unit))
  for (const row of rows)
    for (let d = 0; d < dimension; d++) gradient[row * dimension + d] += pull[d] / norm
}

function mean(rows, table, dimension) {
  const sum = new Float32Array(dimension)
  for (const row of rows) for (let d = 0; d < dimension; d++) sum[d] += table[row * dimension + d]
  const norm = Math.sqrt(dot(sum, sum)) + 1e-8
  return { unit: sum.map((value) => value / norm), norm }
}

function softmax(row) {
  const most = row.reduce((a, b) => Math.max(a, b))
  const powers = row.map((value) => Math.exp(value - most))
  const sum = powers.reduce((a, b) => a + b)
  return powers.map((value) => value / sum)
}

function add(to, from, factor) {
  for (let d = 0; d < to.length; d++) to[d] += factor * from[d]
}

function dot(a, b) {
  let sum = 0
  for (let d = 0; d < a.length; d++) sum += a[d] * b[d]
  return sum
}

function shuffled(length, random) {
  const order = Array.from({ length }, (_, i) => i)
  for (let i = length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[order[i], order[j]] = [order[j], order[i]]
  }
  return order
}

export function generator(seed) {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
}
