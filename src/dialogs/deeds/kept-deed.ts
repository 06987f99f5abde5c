import { redact } from '../../core/redact.ts'
import type { Deed } from './deed.ts'
import { pathFrom } from './deed-path.ts'

/** As it may be kept: without secrets. Some sources know the folder only after the deeds. */
export function keptDeed(deed: Deed, project?: string): Deed {
  const { path, text, tail } = deed
  const isInside = project !== undefined && path?.startsWith(project) === true
  if (text === undefined && tail === undefined && !isInside) return deed
  return {
    ...deed,
    ...(isInside ? { path: pathFrom(path, [project]) } : {}),
    ...(text ? { text: redact(text) } : {}),
    ...(tail ? { tail: redact(tail) } : {}),
  }
}
