import { redact } from '@secretary-mcp/core/redact.ts'
import { typedText } from '@secretary-mcp/transcripts/authorship.ts'
import type { Dialog, Turn } from '@secretary-mcp/transcripts/dialog.ts'
import { isRepositorySource } from '@secretary-mcp/transcripts/source-names.ts'
import { type DialogStore, everyDialog } from './dialog-store.ts'

const PATIENCE_MS = 3_000

interface Dialogs {
  readonly store: DialogStore
  readonly index: { refresh(patienceMs: number, signal: AbortSignal): Promise<unknown> }
  readonly texts: { turns(dialog: Dialog): AsyncGenerator<Turn> }
}

export async function latestChange(
  { store, index }: Dialogs,
  signal: AbortSignal,
): Promise<number> {
  await index.refresh(PATIENCE_MS, signal)
  return store.latestChange()
}

/** The turns of a project's dialogs that were read since a change, oldest dialog first, without those that the caller has read. */
export async function* turnsSince(
  dialogs: Dialogs,
  projects: readonly string[],
  since: number,
  signal: AbortSignal,
  isRead: (dialog: Dialog) => boolean = () => false,
): AsyncGenerator<Turn> {
  await dialogs.index.refresh(PATIENCE_MS, signal)
  const changed = await everyDialog(dialogs.store, {
    projects,
    asked: true,
    storedSince: since,
  })
  for (const dialog of changed.reverse()) {
    signal.throwIfAborted()
    if (isRead(dialog)) continue
    for await (const turn of dialogs.texts.turns(dialog))
      yield { ...withoutSecrets(turn), typed: typedBy(turn) }
  }
}

/** Nothing in a repository's files is known to be typed by the person. */
function typedBy({ source, request }: Turn): string {
  return isRepositorySource(source) ? '' : redact(typedText(request))
}

/** What feeds on turns keeps them; an export leaves the machine. */
export function withoutSecrets(turn: Turn): Turn {
  const { request, answers, answer } = turn
  return {
    ...turn,
    request: redact(request),
    ...(answers ? { answers: redact(answers) } : {}),
    ...(answer ? { answer: redact(answer) } : {}),
  }
}

/** The sessions of a project that were deleted since a change, unless another file holds them. */
export async function goneSince(
  { store, index }: Dialogs,
  projects: readonly string[],
  since: number,
  signal: AbortSignal,
): Promise<string[]> {
  await index.refresh(PATIENCE_MS, signal)
  const dialogs = await everyDialog(store, {
    projects,
    removed: true,
    storedSince: since,
  })
  const gone = new Set(dialogs.map(({ sessionId }) => sessionId))
  for (const sessionId of gone) {
    const others = await store.findBySession(sessionId)
    if (others.length > 0) gone.delete(sessionId)
  }
  return [...gone]
}
