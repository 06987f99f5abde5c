/** A direction as bytes: comparisons use the angle alone, so no scale is kept. */
export function quantise(vector: Float32Array): Int8Array {
  let peak = 0
  for (const value of vector) peak = Math.max(peak, Math.abs(value))
  const bytes = new Int8Array(vector.length)
  if (peak > 0)
    for (let d = 0; d < vector.length; d++)
      bytes[d] = Math.round(((vector[d] as number) / peak) * 127)
  return bytes
}
