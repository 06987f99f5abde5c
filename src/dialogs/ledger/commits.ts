import { existsSync } from 'node:fs'
import { posix, relative } from 'node:path'
import { repositoryOf } from '../../core/files/repository.ts'
import { runGit } from '../../core/run-git.ts'
import type { GitAct } from '../deeds/deed.ts'
import type { PlacedDeed } from '../deeds/deeds-of-dialog.ts'

const BOUNDS = { longestMs: 4_000, mostBytes: 8 << 20 }
const MAX_ASKED = 300
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
  const shas = made.flatMap(({ deed: { tail = '' } }) => (HASH.test(tail) ? [tail] : []))
  const known =
    shas.length > 0
      ? await askGit(folder, shas.slice(-MAX_ASKED), signal)
      : new Map<string, KnownCommit>()
  return made.flatMap((one): ProvenCommit[] => {
    const { deed, order, evidence, isOurs, isAmended } = one
    const sha = HASH.test(deed.tail ?? '') ? deed.tail : undefined
    const here = sha === undefined ? undefined : known.get(sha)
    // A repository elsewhere has commits of its own; only git can tell that one of them is this one's.
    if (!here && !isOurs) return []
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

interface SeenCommit {
  readonly deed: PlacedDeed
  readonly order: number
  readonly subject: string
  readonly evidence: readonly GitAct[]
  readonly isOurs: boolean
  readonly isAmended: boolean
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
          ? made.findLastIndex((one) => one.isOurs === isOurs && !one.isAmended)
          : -1
        const before = made[amended]
        if (before) made[amended] = { ...before, isAmended: true }
        made.push({
          deed,
          order,
          subject: deed.text || (before?.subject ?? ''),
          evidence: [...staged, act, ...(before?.evidence ?? [])],
          isOurs,
          isAmended: false,
        })
        staged = []
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
  if (isOutside(path)) return false
  if (takes === 'all' || (takes === 'tracked' && !isNew)) return true
  if (act !== 'add' && act !== 'commit') return false
  return paths.some((one) => {
    const named = one.replace(/\/$/, '')
    if (named === '' || named === '.' || named === path || path.startsWith(`${named}/`)) return true
    return named.includes('*') && matchesGlob(path, named)
  })
}

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
  readonly subject: string
  readonly onCurrentBranch?: boolean
  holds(path: string): boolean
}

/** What git knows of these commits; two processes for all of them. */
async function askGit(
  folder: string,
  shas: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, KnownCommit>> {
  const known = new Map<string, KnownCommit>()
  const repository = existsSync(folder) ? repositoryOf(folder) : undefined
  if (!repository) return known
  const run = { ...BOUNDS, ...(signal ? { signal } : {}) }
  const asked = [...new Set(shas)]
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
  const below = relative(repository.root, folder).replaceAll('\\', '/')
  const [, ...parts] = shown.text.split('\0')
  for (let at = 0; at + 2 < parts.length + 1; at += 3) {
    const [hash = '', subject = '', names = ''] = parts.slice(at, at + 3)
    const files = new Set(names.split('\n').filter(Boolean))
    const commit: KnownCommit = {
      subject,
      ...(isBranchKnown ? { onCurrentBranch: !notHere.includes(hash) } : {}),
      holds: (path) =>
        files.has(path) ||
        files.has(posix.join(below, path)) ||
        (isOutside(path) && files.has(inRoot(path, repository.root))),
    }
    for (const sha of asked) if (hash.startsWith(sha)) known.set(sha, commit)
  }
  return known
}

function inRoot(path: string, root: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}
