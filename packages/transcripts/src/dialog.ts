import { isProgramMessage } from './authorship.ts'
import type { Deed } from './deeds/deed.ts'
import type { SourceName } from './source-names.ts'

export type DialogStatus = 'pending' | 'in_progress' | 'completed' | 'canceled' | 'failed'

/** Where one entry of a transcript lies, so that its full text is one read away. */
export interface Mark {
  /** Byte offset and length in the file. */
  readonly at: number
  readonly size: number
  readonly time?: number
  /** The text's beginning, at most 80 characters. */
  readonly preview: string
  /** Tells it from other requests where its beginning does not: a plan's heading, what was typed below a pasted log. */
  readonly title?: string
  /** The text itself, as long as it is searched; only of what was read just now, and kept nowhere as it is. */
  readonly text?: string
  /** What the agent had asked, if its program recorded the question that this answers. */
  readonly question?: string
  /** How the reader gets from the bytes to the text, where there are several ways. */
  readonly hint?: string
  /** Where a later entry may replace this one. */
  readonly id?: string
  /** Not the person's words: kept only because the format counts it. */
  readonly hidden?: boolean
  /** What hides it, where a format has several ways to. */
  readonly hiddenBy?: readonly string[]
  /** Counts only where the transcript has nothing better. */
  readonly spare?: boolean
  /** The file it stands in, where that is not the dialog's own. */
  readonly path?: string
  /** Typed while the agent worked: counts once the agent was given it. */
  readonly queued?: 'waits' | 'given'
  /** Where and when the agent was given what had been queued: until then it worked for the request before. */
  readonly given?: { readonly at: number; readonly time?: number }
  readonly status?: DialogStatus
}

/** What has been read of a transcript so far: enough to go on from where the last read ended. */
export interface Reading {
  readonly sessionId: string
  readonly project?: string
  readonly title?: string
  readonly agentId?: string
  readonly modelId?: string
  readonly firstSeen?: number
  /** When the last record was written, by its own word. */
  readonly lastSeen?: number
  readonly status: DialogStatus
  readonly marks: readonly Mark[]
  /** Where the next read begins. */
  readonly offset: number
  /** Fingerprint of the bytes around the offset: an append keeps it, a rewrite does not. */
  readonly seam?: string
  /** An agent talking to itself: nothing in it is a person's request. */
  readonly helper?: boolean
  /** Goes on from a part of another transcript: up to that byte. */
  readonly base?: Base
  /** Of a helper: the session it works for. */
  readonly lead?: string
  /** Of a helper: when its lead last told it something. */
  readonly toldAt?: number
  /** Calls whose results had not come when the file was read. */
  readonly waiting?: readonly Deed[]
  readonly leftOut?: LeftOutParts
}

/** What could not be read of a file: how many parts, and why the first of them. */
export interface LeftOutParts {
  readonly parts: number
  readonly why: string
}

export interface Base {
  readonly thread: string
  readonly end: number
}

/** What one read of a transcript brought: what is known of it now, and what was done in the part that was read. */
export interface ReadResult extends Reading {
  readonly deeds?: readonly Deed[]
  /** The deeds are those of the whole transcript, not only of what was added. */
  readonly isWhole?: boolean
}

/** A person's talk with any agent, as the index knows it. */
export interface Dialog {
  readonly key: string
  readonly sessionId: string
  readonly source: SourceName
  readonly project?: string
  readonly title?: string
  readonly firstSeen: number
  readonly lastSeen: number
  readonly requestsCount: number
  readonly status: DialogStatus
  readonly firstRequestPreview?: string
  readonly agentId?: string
  readonly modelId?: string
  /** Absent once the agent has deleted its file. */
  readonly chatJsonPath?: string
  readonly size: number
  readonly mtimeMs: number
}

/** As callers see it: without what only the index needs. */
export type ShownDialog = Omit<Dialog, 'key' | 'size' | 'mtimeMs'> & {
  readonly fileGone?: true
  /** Put aside by the person, in the agent itself. */
  readonly archived?: true
}

/** One request of the person, and what the agent said last before the next. */
export interface Turn {
  readonly sessionId: string
  readonly source: SourceName
  readonly project?: string
  /** From 1, as `get_request` counts. */
  readonly position: number
  readonly time: number
  readonly request: string
  /** The question that it answers. */
  readonly answers?: string
  /** What of the request the person typed; only in what search and suggestions feed on. */
  readonly typed?: string
  readonly answer?: string
  /** Of the whole answer, where it was cut. */
  readonly answerLength?: number
}

/** The person's requests among the marks, in order. */
export function requestsOf({ marks, helper }: Pick<Reading, 'marks' | 'helper'>): Mark[] {
  if (helper) return []
  const shown = marks.filter(
    ({ hidden, queued, preview }) => !hidden && queued !== 'waits' && !isProgramMessage(preview),
  )
  const proper = shown.filter(({ spare }) => !spare)
  return proper.length > 0 ? proper : shown
}

const MAX_ANSWER_MS = 86_400_000

/** An answer of which nothing was written for a day is not being written any more: the agent ended in the middle of it. */
export function settled<D extends Pick<Dialog, 'status' | 'lastSeen' | 'mtimeMs'>>(dialog: D): D {
  const { status, lastSeen, mtimeMs } = dialog
  const isOver = Date.now() - Math.max(lastSeen, mtimeMs) > MAX_ANSWER_MS
  return status === 'in_progress' && isOver ? { ...dialog, status: 'canceled' } : dialog
}
