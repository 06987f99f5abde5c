import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Attributes, Measure, Tracing, Work } from '@secretary-mcp/core/tracing.ts'

interface Place {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

export interface EndedSpan extends Place {
  readonly parentId?: string
  readonly name: string
  readonly measure: Measure
  readonly attributes: Attributes
  /** In milliseconds since 1970, with fractions. */
  readonly startMs: number
  readonly endMs: number
}

const TRACEPARENT = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/

/** Knows which span the running code is in, whatever it waits for. */
export function createSpans(onEnd: (span: EndedSpan) => void): Tracing {
  const running = new AsyncLocalStorage<Place>()
  const begin = ({ parent }: Work, isSampledAlone: boolean) => {
    const above = placeOf(parent) ?? running.getStore()
    const place: Place = {
      traceId: above?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      isSampled: above?.isSampled ?? isSampledAlone,
    }
    return { place, parentId: above?.spanId }
  }
  const end = (
    { place, parentId }: ReturnType<typeof begin>,
    { name, measure, attributes }: Work,
    [startMs, endMs]: readonly [number, number],
  ) => onEnd({ ...place, parentId, name, measure, attributes, startMs, endMs })

  return {
    async during(work, run) {
      const begun = begin(work, true)
      const startMs = now()
      let attributes = work.attributes
      const set = (more: Attributes) => {
        attributes = { ...attributes, ...more }
      }
      try {
        return await running.run(begun.place, () => run({ set }))
      } catch (error) {
        set({ 'error.type': error instanceof Error ? error.name : 'unknown' })
        throw error
      } finally {
        end(begun, { ...work, attributes }, [startMs, now()])
      }
    },
    after(work, ms) {
      const endMs = now()
      // What the server does for itself is counted, and no trace of anybody's.
      end(begin(work, false), work, [endMs - ms, endMs])
    },
  }
}

function placeOf(traceparent: string | undefined): Place | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
  if (!traceId || !spanId || !flags) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

function now(): number {
  return performance.timeOrigin + performance.now()
}
