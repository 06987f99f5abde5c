// Principal components by block power iteration: exact enough for a table that is stored as int8.
const ITERATIONS = 60

/** Centres the rows and projects them on their leading components. */
export function principalComponents(rows, dimension) {
  const width = rows[0].length
  const mean = new Float64Array(width)
  for (const row of rows) for (let d = 0; d < width; d++) mean[d] += row[d] / rows.length
  const centred = rows.map((row) => row.map((value, d) => value - mean[d]))
  const basis = leadingVectors(covariance(centred, width), width, dimension)
  return centred.map((row) => Float64Array.from(basis, (axis) => dot(row, axis)))
}

function covariance(rows, width) {
  const sums = Array.from({ length: width }, () => new Float64Array(width))
  for (const row of rows)
    for (let i = 0; i < width; i++) for (let j = 0; j <= i; j++) sums[i][j] += row[i] * row[j]
  for (let i = 0; i < width; i++) for (let j = 0; j < i; j++) sums[j][i] = sums[i][j]
  return sums
}

function leadingVectors(matrix, width, count) {
  let basis = Array.from({ length: count }, (_, i) =>
    Float64Array.from({ length: width }, (_, d) => Math.sin((i + 1) * (d + 1))),
  )
  for (let step = 0; step < ITERATIONS; step++)
    basis = orthonormal(basis.map((axis) => Float64Array.from(matrix, (row) => dot(row, axis))))
  return basis
}

function orthonormal(vectors) {
  const done = []
  for (const vector of vectors) {
    for (const axis of done) {
      const share = dot(vector, axis)
      for (let d = 0; d < vector.length; d++) vector[d] -= share * axis[d]
    }
    const norm = Math.sqrt(dot(vector, vector)) || 1
    done.push(vector.map((value) => value / norm))
  }
  return done
}

function dot(a, b) {
  let sum = 0
  for (let d = 0; d < a.length; d++) sum += a[d] * b[d]
  return sum
}
