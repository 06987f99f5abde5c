import { patchedLines } from './changed-lines.ts'
import type { DeedFacts } from './deed.ts'

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const MOVE = /^\*\*\* Move to: (.+)$/

/** The files of a patch in the form that Codex made: `*** Add File: …`, lines with `+` and `-`. */
export function patchDeeds(patch: string, facts: Pick<DeedFacts, 'call' | 'time'>): DeedFacts[] {
  const deeds: DeedFacts[] = []
  let open: { kind: DeedFacts['kind']; path: string; lines: string[] } | undefined
  const close = () => {
    if (open)
      deeds.push({
        ...facts,
        kind: open.kind,
        path: open.path,
        ...(open.kind === 'delete' ? {} : { lines: patchedLines(open.lines) }),
      })
  }
  for (const line of patch.split(/\r?\n/)) {
    const [, verb, path] = FILE.exec(line) ?? []
    const moved = MOVE.exec(line)?.[1]
    if (path !== undefined) {
      close()
      const kind = verb === 'Add' ? 'create' : verb === 'Delete' ? 'delete' : 'change'
      open = { kind, path: path.trim(), lines: [] }
    } else if (moved !== undefined && open) {
      deeds.push({ ...facts, kind: 'delete', path: open.path })
      open.path = moved.trim()
    } else open?.lines.push(line)
  }
  close()
  return deeds
}
