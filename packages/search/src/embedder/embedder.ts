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
