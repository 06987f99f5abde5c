import { type Disposable, RelativePattern, Uri, workspace } from 'vscode'
import type { DialogSessionsServiceImpl } from './dialog-sessions-service.ts'

const DEBOUNCE_MS = 250

/** Tells the service of every change to the chats of this window. */
export function watchChats(folder: string, sessions: DialogSessionsServiceImpl): Disposable {
  const watcher = workspace.createFileSystemWatcher(
    new RelativePattern(Uri.file(folder), '*.{json,jsonl}'),
  )
  let waiting: NodeJS.Timeout | undefined
  // An answer is written without pause: the first event sets the time.
  const later = () => {
    waiting ??= setTimeout(() => {
      waiting = undefined
      // Whoever asks next meets the failure; there is nobody to tell here.
      sessions.refresh().catch(() => {})
    }, DEBOUNCE_MS)
  }
  const listening = [
    watcher.onDidChange(later),
    watcher.onDidCreate(later),
    watcher.onDidDelete(later),
  ]
  return {
    dispose() {
      clearTimeout(waiting)
      for (const one of [...listening, watcher]) one.dispose()
    },
  }
}
