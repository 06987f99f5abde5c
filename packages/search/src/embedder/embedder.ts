/** Turns texts into vectors. `id` names the model: vectors of different ids never meet in one comparison. */
export interface Embedder {
  readonly id: string
  readonly dimension: number
  /** Other languages mean nothing to it: a question in one is translated first. */
  readonly isEnglishOnly?: boolean
  /** Reads a sentence as a whole, not word by word: on short notes its nearness says more than shared words. */
  readonly readsSentences?: boolean
  /** Vectors have length one, or are all zero when nothing in the text is known to the model. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
  /** Loads beforehand what the first text would wait for. Missing where that would be a call to a service. */
  warmUp?(): Promise<void>
}

/** Vectors by the hash of their text: what was paid for once is not asked for again. */
export interface VectorCache {
  find(modelId: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Int8Array>>
  keep(modelId: string, vectors: ReadonlyMap<string, Int8Array>): Promise<void>
}

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
