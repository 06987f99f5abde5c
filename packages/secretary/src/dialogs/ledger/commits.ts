import { existsSync } from 'node:fs'
import { posix, relative } from 'node:path'
import { repositoryOf } from '@secretary-mcp/core/files/repository.ts'
import { runGit } from '@secretary-mcp/core/run-git.ts'
import type { GitAct } from '@secretary-mcp/transcripts/deeds/deed.ts'
import type { PlacedDeed } from '../deeds/deeds-of-dialog.ts'

const BOUNDS = { longestMs: 4_000, mostBytes: 8 << 20 }
const MAX_ASKED = 300
const COMMIT_BEGUN_MS = 5_000
const COMMIT_LASTS_MS = 10 * 60_000
const HASH = /^[\da-f]{7,40}$/

/** A commit that was made in the dialog's own repository. */
export interface ProvenCommit {
  readonly deed: PlacedDeed
  /** Its place among the dialog's deeds. */
  readonly order: number
  readonly sha?: string
  readonly subject: string
  /** Absent if the repository is not here, or does not know the commit any more. */
  readonly onCurrentBranch?: boolean
  /** A later `--amend` made another commit of it. */
  readonly isAmended: boolean
  /** Whether it is proven to hold a file, spelled as changes are. */
  holds(path: string, isNew: boolean): boolean
}

/** The commits of a dialog, with what they hold: as git knows them if the repository is here, else by their own output. */
export async function commitsOf(
  deeds: readonly PlacedDeed[],
  folder: string,
  signal?: AbortSignal,
): Promise<ProvenCommit[]> {
  const made = commitsSeen(deeds, folder)
  const known = made.length > 0 ? await askGit(folder, made, signal) : new Map()
  return made.flatMap((one): ProvenCommit[] => {
    const { deed, order, evidence, isOurs, isUnproven, isAmended } = one
    const here: KnownCommit | undefined = known.get(deed)
    const sha = here?.sha ?? shaOf(deed)
    // A repository elsewhere has commits of its own; only git can tell that one of them is this one's.
    if (!here && (!isOurs || isUnproven)) return []
    return [
      {
        deed,
        order,
        isAmended,
        subject: here?.subject ?? one.subject,
        ...(sha === undefined ? {} : { sha }),
        ...(here?.onCurrentBranch === undefined ? {} : { onCurrentBranch: here.onCurrentBranch }),
        holds: (path, isNew) =>
          here ? here.holds(path) : evidence.some((act) => actHolds(act, path, isNew)),
      },
    ]
  })
}

/** The commits of a dialog in its own repository as the agent saw them made, without asking git. */
export function commitsOfTranscript(deeds: readonly PlacedDeed[], folder: string): Set<PlacedDeed> {
  return new Set(commitsSeen(deeds, folder).flatMap(({ deed, isOurs }) => (isOurs ? [deed] : [])))
}

interface SeenCommit {
  readonly deed: PlacedDeed
  readonly order: number
  readonly subject: string
  readonly evidence: readonly GitAct[]
  readonly isOurs: boolean
  readonly isUnproven: boolean
  readonly isAmended: boolean
}

function shaOf({ tail = '' }: PlacedDeed): string | undefined {
  return HASH.test(tail) ? tail : undefined
}

/** What was staged before each commit, in the order of the deeds. */
function commitsSeen(deeds: readonly PlacedDeed[], folder: string): SeenCommit[] {
  const made: SeenCommit[] = []
  let staged: GitAct[] = []
  const scratch = new Set<string>()
  for (const [order, deed] of deeds.entries()) {
    for (const act of deed.git ?? []) {
      if (act.act === 'init' && act.folder) scratch.add(act.folder)
      else if (act.act === 'add') staged.push(act)
      else if (act.act === 'commit' && deed.kind === 'commit') {
        const isOurs =
          act.folder !== undefined && !scratch.has(act.folder) && isInside(act.folder, folder)
        const amended = act.isAmend
          ? made.findLastIndex((one) => one.isOurs === isOurs && !one.isAmended && !one.isUnproven)
          : -1
        const isUnproven = act.isUnproven === true
        const before = made[amended]
        if (before && !isUnproven) made[amended] = { ...before, isAmended: true }
        made.push({
          deed,
          order,
          subject: deed.text || (before?.subject ?? ''),
          evidence: [...staged, act, ...(before?.evidence ?? [])],
          isOurs,
          isUnproven,
          isAmended: false,
        })
        if (!isUnproven) staged = []
      }
    }
  }
  return made
}

/** The dialog's folder, one in it, or one around it. */
function isInside(act: string, folder: string): boolean {
  if (act === '' || !/^(\/|[a-z]:|\.\.)/i.test(act)) return true
  return (
    act === '..' ||
    /^(\.\.\/)+(\.\.)?$/.test(`${act}/`) ||
    `${folder}/`.startsWith(`${act.replace(/\/$/, '')}/`)
  )
}

function actHolds({ act, paths = [], takes }: GitAct, path: string, isNew: boolean): boolean {
  if (isOutside(path) || BLANKED.test(path)) return false
  if (takes === 'all' || (takes === 'tracked' && !isNew)) return true
  if (act !== 'add' && act !== 'commit') return false
  return paths.some((one) => {
    const named = one.replace(/\/$/, '')
    if (named === '' || named === '.' || named === path || path.startsWith(`${named}/`)) return true
    return named.includes('*') && matchesGlob(path, named)
  })
}

/** A transcript whose secrets were blanked out calls different files by the same name. */
const BLANKED = /\bREDACTED\b/

function isOutside(path: string): boolean {
  return /^(\/|[a-z]:|~|\.\.\/)/i.test(path)
}

function matchesGlob(path: string, pattern: string): boolean {
  // Git's own patterns let a star match slashes.
  const parts = pattern.split(/\*+/)
  let at = 0
  for (const [place, part] of parts.entries()) {
    const found = path.indexOf(part, at)
    if (found === -1 || (place === 0 && found !== 0)) return false
    at = found + part.length
  }
  return pattern.endsWith('*') || path.endsWith(parts.at(-1) ?? '')
}

interface KnownCommit {
  readonly sha: string
  readonly subject: string
  readonly onCurrentBranch?: boolean
  holds(path: string): boolean
}

/** What git knows of these commits: by their hash, or by subject and time if it was not printed or is gone after a rebase. */
async function askGit(
  folder: string,
  made: readonly SeenCommit[],
  signal?: AbortSignal,
): Promise<Map<PlacedDeed, KnownCommit>> {
  const known = new Map<PlacedDeed, KnownCommit>()
  const repository = existsSync(folder) ? repositoryOf(folder) : undefined
  if (!repository) return known
  const run = { ...BOUNDS, ...(signal ? { signal } : {}) }
  const asked = made.slice(-MAX_ASKED)
  const shas = [...new Set(asked.flatMap(({ deed }) => shaOf(deed) ?? []))]
  const byHash = await shownCommits(folder, repository.root, shas, run)
  const find = (sha: string | undefined) =>
    sha === undefined ? undefined : byHash.find((one) => one.sha.startsWith(sha))
  const lost = asked.filter(({ deed }) => !find(shaOf(deed)))
  const written = lost.length > 0 ? await commitsByTime(folder, lost, run) : new Map()
  const again = await shownCommits(folder, repository.root, [...new Set(written.values())], run)
  for (const { deed } of asked) {
    const sha = shaOf(deed)
    const found = find(sha)
    const rewritten = again.find((one) => one.sha === written.get(deed))
    // As git printed it, if it still is that commit.
    if (found) known.set(deed, { ...found, sha: sha ?? found.sha })
    else if (rewritten) known.set(deed, { ...rewritten, sha: rewritten.sha.slice(0, 12) })
  }
  return known
}

type Bounds = Parameters<typeof runGit>[2]

async function shownCommits(
  folder: string,
  root: string,
  asked: readonly string[],
  run: Bounds,
): Promise<KnownCommit[]> {
  if (asked.length === 0) return []
  const [shown, missing] = await Promise.all([
    runGit(
      folder,
      [
        'log',
        '--no-walk=unsorted',
        '--ignore-missing',
        '--name-only',
        '-m',
        '--first-parent',
        '--format=%x00%H%x00%s%x00',
        ...asked,
      ],
      run,
    ),
    runGit(folder, ['rev-list', '--ignore-missing', ...asked, '--not', 'HEAD'], run),
  ])
  const isBranchKnown = !missing.isFailed && !missing.isCut
  const notHere = missing.text.split('\n')
  const below = relative(root, folder).replaceAll('\\', '/')
  const [, ...parts] = shown.text.split('\0')
  const known: KnownCommit[] = []
  for (let at = 0; at + 2 < parts.length + 1; at += 3) {
    const [sha = '', subject = '', names = ''] = parts.slice(at, at + 3)
    const files = new Set(names.split('\n').filter(Boolean))
    known.push({
      sha,
      subject,
      ...(isBranchKnown ? { onCurrentBranch: !notHere.includes(sha) } : {}),
      holds: (path) =>
        files.has(path) ||
        files.has(posix.join(below, path)) ||
        (isOutside(path) && files.has(inRoot(path, root))),
    })
  }
  return known
}

/** Commits that were written with the same subject while the command ran; hooks may take minutes. */
async function commitsByTime(
  folder: string,
  lost: readonly SeenCommit[],
  run: Bounds,
): Promise<Map<PlacedDeed, string>> {
  const first = Math.min(...lost.map(({ deed }) => deed.time)) - COMMIT_BEGUN_MS
  const since = `--since=${new Date(first).toISOString()}`
  const format = '--format=%H%x00%at%x00%s'
  const { text, isFailed } = await runGit(folder, ['log', '--all', since, format], run)
  const rows = isFailed ? [] : text.split('\n').map((row) => row.split('\0'))
  const found = new Map<PlacedDeed, string>()
  for (const { deed, subject } of lost) {
    const row = rows.find(
      ([, at, written]) =>
        subject !== '' && written === subject && isWhile(deed.time, Number(at) * 1000),
    )
    if (row?.[0]) found.set(deed, row[0])
  }
  return found
}

/** Whether a commit of this author's time is the one that a command begun at `time` made. */
export function isWhile(time: number, authoredMs: number): boolean {
  return authoredMs >= time - COMMIT_BEGUN_MS && authoredMs <= time + COMMIT_LASTS_MS
}

function inRoot(path: string, root: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}
