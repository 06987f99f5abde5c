import type { LedgerEntry } from './dialog-data.ts'

type Doubt = LedgerEntry['against'][number]

const STATES: Readonly<Record<LedgerEntry['state'], string>> = {
  asked: 'No changes',
  worked_on: 'No files changed',
  changed: 'Changed, not tested',
  tested: 'Tests passed',
  committed: 'Committed',
}

const DOUBTS: Readonly<Record<Exclude<Doubt, 'failing'>, string>> = {
  unanswered: 'Asks you',
  interrupted: 'Interrupted',
  undone: 'Undone',
  replaced: 'Replaced later',
}

/** What happened to a request, in words: what speaks against it first. */
export function Outcome({ entry }: { readonly entry: LedgerEntry }) {
  const { state, against } = entry
  if (against.length === 0)
    return (
      <span class="outcome" data-state={state}>
        {STATES[state]}
      </span>
    )
  const proven = state === 'tested' || state === 'committed' ? [STATES[state]] : []
  const doubts = against.map((doubt) => (doubt === 'failing' ? failure(entry) : DOUBTS[doubt]))
  return (
    <span class="outcome" data-state={isOver(against) ? 'over' : 'open'}>
      {[...proven, ...doubts].join(' · ')}
    </span>
  )
}

/** Nothing is left to do about what was taken back. */
function isOver(against: readonly Doubt[]): boolean {
  return against.every((doubt) => doubt === 'undone' || doubt === 'replaced')
}

function failure({ ended }: Pick<LedgerEntry, 'ended'>): string {
  const last = ended.findLast((end) => /^(?:test|build) failed/.test(end))
  return last?.startsWith('build') ? 'Build failed' : 'Test failed'
}

/** One file by its name, several by their number, with what came and went. */
export function FileSum({ files }: Pick<LedgerEntry, 'files'>) {
  const [first] = files
  if (first === undefined) return null
  const sum = (of: 'plus' | 'minus') => files.reduce((all, file) => all + file[of], 0)
  const name = files.length === 1 ? (first.path.split('/').at(-1) ?? '') : `${files.length} files`
  return (
    <span class="file-sum" title={files.map(({ path }) => path).join('\n')}>
      {name} <span class="plus">+{sum('plus')}</span> <span class="minus">−{sum('minus')}</span>
    </span>
  )
}
