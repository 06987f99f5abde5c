import { LARGEST_DOCUMENT } from '../reading/document.ts'
import { linesOf } from '../reading/lines.ts'
import { type JsonObject, listOf, objectOf, parsedOr } from '../reading/loose-json.ts'
import type { ReadContext } from '../source.ts'

type Container = Record<string | number, unknown>

/** The requests of a session as its mutation log leaves them, answers included. */
export async function replayLog(path: string, context: ReadContext): Promise<JsonObject[]> {
  let state: Container = {}
  let size = 0
  for await (const lines of linesOf(path, 0, context, LARGEST_DOCUMENT / 2)) {
    for (const { bytes } of lines) {
      size += bytes.length
      const line = objectOf(parsedOr(bytes))
      if (line.kind === 0) state = { ...objectOf(line.v) }
      else if (listOf(line.k)[0] === 'requests') mutate(state, line)
    }
    if (size > LARGEST_DOCUMENT) {
      context.warn(path, `answers after ${LARGEST_DOCUMENT >> 20} MB of log were left out`)
      break
    }
  }
  // A request that was deleted leaves its place empty.
  return listOf(state.requests).flatMap((request) => (request ? [objectOf(request)] : []))
}

function mutate(state: Container, { kind, k, v, i }: JsonObject): void {
  const keys = listOf(k).filter((key) => typeof key === 'string' || typeof key === 'number')
  const last = keys.at(-1)
  const holder = keys
    .slice(0, -1)
    .reduce<unknown>(
      (at, key) => (isContainer(at) && Object.hasOwn(at, key) ? at[key] : undefined),
      state,
    )
  if (last === undefined || last === '__proto__' || !isContainer(holder)) return
  if (Array.isArray(holder) && typeof last === 'number' && last > holder.length) return
  if (kind === 1) holder[last] = v
  if (kind === 3) delete holder[last]
  if (kind !== 2) return
  const list = Array.isArray(holder[last]) ? (holder[last] as unknown[]) : []
  if (typeof i === 'number') list.length = Math.min(list.length, Math.max(0, i))
  list.push(...listOf(v))
  holder[last] = list
}

function isContainer(value: unknown): value is Container {
  return value !== null && typeof value === 'object'
}
