/** A stretch of a text that is a secret. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly kind: string
}

/** A stretch of a text without blanks. */
export type Run = Pick<Span, 'start' | 'end'>

const RUN = /(?<![\w.~+/=:@%,-])[\w.~+/=:@%,-]{16,}/g

/** Tokens have no blanks in them and are long: most of a text is neither, and is read no further. */
export function findLongRuns(text: string): Run[] {
  return Array.from(text.matchAll(RUN), ({ index, 0: run }) => ({
    start: index,
    end: index + run.length,
  }))
}

/**
 * The text with every span replaced. Spans that overlap become one, with the kind of the one that was given first: the
 * finders are asked in the order of how sure they are.
 */
export function hideSpans(text: string, spans: readonly Span[], until = text.length): string {
  const sorted = spans
    .map((span, order) => ({ ...span, order }))
    .sort((a, b) => a.start - b.start || a.order - b.order)
  let shown = ''
  let at = 0
  for (let next = 0; next < sorted.length; ) {
    const first = sorted[next]
    if (!first || first.start >= until) break
    let { end, kind, order } = first
    for (next++; next < sorted.length; next++) {
      const other = sorted[next]
      if (!other || other.start >= end) break
      end = Math.max(end, other.end)
      if (other.order < order) ({ kind, order } = other)
    }
    shown += `${text.slice(at, first.start)}[redacted:${kind}]`
    at = end
  }
  return shown + text.slice(at, Math.max(at, until))
}
