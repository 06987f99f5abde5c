import { parentPort, workerData } from 'node:worker_threads'
import { openEngineParts } from './composition/engine-parts.ts'
import type { IndexMessage, IndexWork } from './composition/index-aside.ts'
import { Failure } from './core/failure.ts'
import { createLog } from './core/log.ts'
import { runIndex } from './search/indexer/index-run.ts'

/** One run over one project, then this thread ends. */
const { config, project } = workerData as IndexWork
const ending = new AbortController()
const say = (message: IndexMessage) => parentPort?.postMessage(message)
parentPort?.on('message', () => ending.abort())

try {
  const parts = await openEngineParts(config, project, createLog(config.logLevel))
  try {
    say({
      summary: await runIndex(parts, {
        signal: ending.signal,
        onProgress: (progress) => say({ progress }),
      }),
    })
  } finally {
    await parts.store.close()
  }
} catch (error) {
  const { message } = error as Error
  say({ failed: { message, errorType: error instanceof Failure ? error.errorType : undefined } })
}
parentPort?.close()
