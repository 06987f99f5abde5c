import { readFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTokenizer } from './word-pieces.mjs'

const MODEL = new URL('model/', import.meta.url)
const WEIGHTS = 'model_q4.onnx_data'

/** all-MiniLM-L6-v2 in four bits, run by WebAssembly on one thread; loaded with the first text. */
export function createEmbedder() {
  let loaded
  const load = () => {
    loaded ??= open()
    return loaded
  }
  return {
    id: 'minilm-l6-q4-384',
    dimension: 384,
    isEnglishOnly: true,
    readsSentences: true,
    async embed(texts, signal) {
      const vectorOf = await unlessAborted(load(), signal)
      const vectors = []
      for (const text of texts) {
        signal?.throwIfAborted()
        vectors.push(await vectorOf(text))
        // A text takes tens of milliseconds: others may want this thread.
        await nextTurn()
      }
      return vectors
    },
    warmUp: async () => void (await (await load())('warm up')),
  }
}

/** Loading takes seconds on a busy machine; nobody has to wait for it. */
function unlessAborted(loading, signal) {
  if (!signal) return loading
  signal.throwIfAborted()
  const aborted = new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([loading, aborted])
}

async function open() {
  const ort = await import('onnxruntime-web')
  ort.env.wasm.numThreads = 1
  const [graph, data, vocabulary] = await Promise.all(
    ['model_q4.onnx', WEIGHTS, 'vocab.txt'].map((name) => readFile(new URL(name, MODEL))),
  )
  const externalData = [{ path: WEIGHTS, data }]
  const session = await ort.InferenceSession.create(graph, { externalData })
  const idsOf = createTokenizer(vocabulary.toString('utf8').split('\n'))
  return async (text) => {
    const ids = idsOf(text)
    const tensor = (values) =>
      new ort.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])
    const { last_hidden_state: states } = await session.run({
      input_ids: tensor(ids),
      attention_mask: tensor(ids.map(() => 1)),
      token_type_ids: tensor(ids.map(() => 0)),
    })
    return meanOf(states.data, ids.length)
  }
}

/** Of length one. */
function meanOf(states, pieces) {
  const width = states.length / pieces
  const sum = new Float32Array(width)
  for (let at = 0; at < states.length; at++) sum[at % width] += states[at]
  const length = Math.hypot(...sum) || 1
  return sum.map((value) => value / length)
}
