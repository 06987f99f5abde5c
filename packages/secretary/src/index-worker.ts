import { parentPort, workerData } from 'node:worker_threads'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { createLog } from '@secretary-mcp/core/log.ts'
import { runIndex } from '@secretary-mcp/search/indexer/index-run.ts'
import { openEngineParts } from './app/engine-parts.ts'
import type { IndexMessage, IndexWork } from './app/index-aside.ts'

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
