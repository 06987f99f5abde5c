import { homedir } from 'node:os'
import { isNeverShown } from '@secretary-mcp/core/files/excluded-paths.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import type { Deed, GitAct } from '@secretary-mcp/transcripts/deeds/deed.ts'
import type { DeedStore } from '../deeds/deed-store.ts'
import { byPosition, deedsOfDialog, type PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import type { Dialog, Turn } from '@secretary-mcp/transcripts/dialog.ts'
import type { DialogTexts } from '../dialog-texts.ts'
import { cutText } from '@secretary-mcp/transcripts/preview.ts'
import { type NamedProject, pathInRepository } from './project-name.ts'
import type { RequestToShare } from './sharing-store.ts'
import { withoutPlaces } from './without-places.ts'

const LONGEST_REQUEST = 100_000
const LONGEST_ANSWER = 2_000
/** A secret that the end would cut through is seen whole. */
const SEEN_OF_ANSWER = 2 * LONGEST_ANSWER
const MOST_DEEDS = 2_000

type Clean = (text: string) => string

/** What others get to see of a dialog: no secret, no path of this machine, nothing that was done outside of the repository. */
export async function requestsToShare(
  { texts, deeds }: { readonly texts: DialogTexts; readonly deeds?: DeedStore },
  dialog: Dialog,
  project: NamedProject,
): Promise<RequestToShare[]> {
  const marks = await texts.marks(dialog)
  const done = byPosition(await deedsOfDialog(deeds, dialog, marks))
  const folders = [project.root, ...(dialog.project ? [dialog.project] : [])]
  // PostgreSQL has no room for NUL.
  const clean: Clean = (text) =>
    withoutPlaces(redact(text), folders, homedir()).replaceAll('\0', '')
  const requests: RequestToShare[] = []
  for await (const turn of texts.turns(dialog, { longestAnswer: SEEN_OF_ANSWER })) {
    const own = done.get(turn.position) ?? []
    requests.push({
      ...said(turn, dialog, clean),
      deeds: own.flatMap((deed) => sharedDeed(deed, project, clean)).slice(0, MOST_DEEDS),
    })
  }
  return requests
}

function said(
  { position, time, request, answer }: Turn,
  { firstSeen }: Dialog,
  clean: Clean,
): Omit<RequestToShare, 'deeds'> {
  return {
    position,
    askedAt: dateOf(time, firstSeen),
    request: cutText(clean(request), LONGEST_REQUEST),
    ...(answer ? { answer: cutText(clean(answer), LONGEST_ANSWER) } : {}),
  }
}

/** None where it touched a file outside, or one that nobody is shown. */
function sharedDeed(deed: PlacedDeed, project: NamedProject, clean: Clean): Deed[] {
  const { kind, at, place, time, lines, commandKind, exit, runs, git } = deed
  const path = deed.path === undefined ? undefined : pathInRepository(deed.path, project)
  if (deed.path !== undefined && (path === undefined || isNeverShown(path))) return []
  return [
    {
      kind,
      at,
      place,
      time,
      ...(path === undefined ? {} : { path: redact(path) }),
      ...(lines ? { lines } : {}),
      ...(deed.text ? { text: clean(deed.text) } : {}),
      ...(commandKind ? { commandKind } : {}),
      ...(exit === undefined ? {} : { exit }),
      ...(deed.tail ? { tail: clean(deed.tail) } : {}),
      // Where a program ran is a place on this machine.
      ...(runs
        ? { runs: runs.map(({ folder: _, ...run }) => ({ ...run, command: clean(run.command) })) }
        : {}),
      ...(git ? { git: git.flatMap((act) => sharedAct(act, project)) } : {}),
    },
  ]
}

/** Only what git did in the repository itself, with paths in it. */
function sharedAct({ folder, paths, ...act }: GitAct, project: NamedProject): GitAct[] {
  if (folder === undefined || (folder !== '' && pathInRepository(folder, project) === undefined))
    return []
  const inside = paths?.flatMap((path) => pathInRepository(path, project) ?? [])
  return [
    {
      ...act,
      folder: '',
      ...(inside ? { paths: inside.filter((path) => !isNeverShown(path)) } : {}),
    },
  ]
}

function dateOf(time: number, otherwise: number): string {
  const known = [time, otherwise].find((ms) => Number.isFinite(ms) && Math.abs(ms) < 8e15) ?? 0
  return new Date(known).toISOString()
}
