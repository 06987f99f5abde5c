import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import { Failure, type FailureKind } from '@secretary-mcp/core/failure.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import { packageRoot } from '@secretary-mcp/core/package-root.ts'
import type {
  IndexOptions,
  IndexProgress,
  IndexSummary,
} from '@secretary-mcp/search/indexer/index-run.ts'

export interface IndexWork {
  readonly config: Config
  readonly project: string
}

/** What the other thread says. */
export type IndexMessage =
  | { readonly progress: IndexProgress }
  | { readonly summary: IndexSummary }
  | { readonly failed: { readonly message: string; readonly errorType?: FailureKind } }

/**
 * Indexes a project in a thread of its own: calls are answered meanwhile, and the memory that parsing a large project takes is
 * given back when the thread ends. Where the sources run as they are, there is no bundle for such a thread.
 */
export function indexAside(
  config: Config,
  project: string,
  log: Log,
): ((options: IndexOptions) => Promise<IndexSummary>) | undefined {
  if (import.meta.url.endsWith('.ts')) return undefined
  return async ({ signal, onProgress }) => {
    signal?.throwIfAborted()
    const work: IndexWork = { config, project }
    const worker = new Worker(join(packageRoot(), 'dist', 'index-worker.js'), { workerData: work })
    const stop = () => worker.postMessage('stop')
    signal?.addEventListener('abort', stop)
    log.debug({ project, thread: worker.threadId }, 'indexing in a separate thread')
    try {
      return await new Promise<IndexSummary>((resolve, reject) => {
        worker.on('message', (said: IndexMessage) => {
          if ('progress' in said) onProgress?.(said.progress)
          else if ('summary' in said) resolve(said.summary)
          else reject(signal?.aborted ? signal.reason : asError(said.failed))
        })
        worker.on('error', reject)
        worker.on('exit', (code) =>
          reject(new Error(`the indexing thread ended early with ${code}`)),
        )
      })
    } finally {
      signal?.removeEventListener('abort', stop)
      if (worker.threadId !== -1) await once(worker, 'exit').catch(() => undefined)
    }
  }
}

function asError({
  message,
  errorType,
}: {
  readonly message: string
  readonly errorType?: FailureKind
}): Error {
  return errorType === undefined ? new Error(message) : new Failure(errorType, message)
}
