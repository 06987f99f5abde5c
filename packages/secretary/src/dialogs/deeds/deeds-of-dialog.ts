import { posix } from 'node:path'
import type { Run } from '@secretary-mcp/transcripts/deeds/deed.ts'
import { positionOf } from '@secretary-mcp/transcripts/deeds/deed-collector.ts'
import { resolveTasks } from '@secretary-mcp/transcripts/deeds/runs/project-tasks.ts'
import type { Dialog, Mark } from '@secretary-mcp/transcripts/dialog.ts'
import type { DeedStore, StoredDeed } from './deed-store.ts'

const MAX_FILES = 6
const MAX_COMMAND = 60

const MAX_DEEDS = 20_000

export interface PlacedDeed extends StoredDeed {
  /** The request it was done for; 0 before the first. */
  readonly position: number
}

/** What was done in a dialog and by its helpers, oldest first, each deed once. */
export async function deedsOfDialog(
  store: DeedStore | undefined,
  { sessionId, project }: Dialog,
  marks: readonly Mark[],
): Promise<PlacedDeed[]> {
  const found = (await store?.find({ sessionId, limit: MAX_DEEDS })) ?? []
  const seen = new Set<string>()
  const own = found
    .reverse()
    .filter(({ call, kind, path, place }) => {
      // A helper's deeds stand in its own file and may be repeated in its lead's.
      const name = call === undefined ? undefined : `${call}/${kind}/${path ?? place}`
      const isNew = name === undefined || !seen.has(name)
      if (name !== undefined) seen.add(name)
      return isNew
    })
    .map((deed) => ({ ...deed, position: positionOf(deed, marks, deed.isHelper) }))
  return resolveTasks(own, project)
}

export function byPosition(deeds: readonly PlacedDeed[]): Map<number, PlacedDeed[]> {
  const groups = new Map<number, PlacedDeed[]>()
  for (const deed of deeds) {
    const group = groups.get(deed.position)
    if (group) group.push(deed)
    else groups.set(deed.position, [deed])
  }
  return groups
}

/** What was done, in a line: files with what came and went, tests and how they ended, commits. */
export function describeDeeds(deeds: readonly StoredDeed[]): string {
  return [
    describeFiles(deeds),
    describeDeleted(deeds),
    ...describeCommands(deeds),
    ...deeds
      .filter(({ kind, git }) => kind === 'commit' && !git?.some((act) => act.isUnproven))
      .map(
        ({ tail, text }) => `committed ${[tail, text && `"${text}"`].filter(Boolean).join(' ')}`,
      ),
    deeds.some(({ kind }) => kind === 'interrupt') ? 'interrupted' : undefined,
  ]
    .filter(Boolean)
    .join('; ')
}

interface FileSum {
  readonly path: string
  readonly plus: number
  readonly minus: number
}

/** Each changed file once, with all that came and went. */
export function changedFiles(deeds: readonly StoredDeed[]): FileSum[] {
  const sums = new Map<string, FileSum>()
  for (const { kind, path, lines } of deeds) {
    if ((kind !== 'create' && kind !== 'change') || path === undefined) continue
    const { plus, minus } = sums.get(path) ?? { plus: 0, minus: 0 }
    sums.set(path, {
      path,
      plus: plus + (lines?.plus ?? 0),
      minus: minus + (lines?.minus ?? 0),
    })
  }
  return [...sums.values()]
}

function describeFiles(deeds: readonly StoredDeed[]): string | undefined {
  const files = changedFiles(deeds).map(
    ({ path, plus, minus }) => `${posix.basename(path)} +${plus}${minus > 0 ? ` -${minus}` : ''}`,
  )
  if (files.length === 0) return undefined
  const rest = files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : ''
  return `changed ${files.slice(0, MAX_FILES).join(', ')}${rest}`
}

function describeDeleted(deeds: readonly StoredDeed[]): string | undefined {
  const gone = deeds
    .filter(({ kind }) => kind === 'delete')
    .map(({ path }) => posix.basename(path ?? ''))
  return gone.length === 0 ? undefined : `deleted ${gone.slice(0, MAX_FILES).join(', ')}`
}

/** Of each kind that proves something, the last run. */
function describeCommands(deeds: readonly StoredDeed[]): string[] {
  const runs = deeds.flatMap((deed) => (deed.kind === 'command' ? (deed.runs ?? []) : []))
  return (['test', 'build', 'lint'] as const).flatMap((kind) => {
    const last = runs.findLast((run) => run.kind === kind)
    return last ? [describeRun(last)] : []
  })
}

/** `test passed (npm test)`, `test unknown (go test ./...)` */
export function describeRun({
  kind,
  command,
  outcome,
}: Pick<Run, 'kind' | 'command' | 'outcome'>): string {
  const short = command.length > MAX_COMMAND ? `${command.slice(0, MAX_COMMAND)}…` : command
  return `${kind} ${outcome ?? 'unknown'} (${short})`
}
