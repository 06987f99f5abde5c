/** Vectors by the hash of their text: what was paid for once is not asked for again. */
export interface VectorCache {
  find(modelId: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Int8Array>>
  keep(modelId: string, vectors: ReadonlyMap<string, Int8Array>): Promise<void>
}
