import { Fragment } from 'preact'
import type { LedgerEntry } from './dialog-data.ts'
import { FilePath } from './file-path.tsx'

interface RequestDeedsProps {
  /** Null where it could not be loaded, undefined while it is loading. */
  readonly entry: LedgerEntry | null | undefined
  /** Whether its files are those of the project that the page shows. */
  readonly isHere: boolean
}

const STATES: Readonly<Record<LedgerEntry['state'], string>> = {
  asked: 'Asked',
  worked_on: 'Worked on',
  changed: 'Changed',
  tested: 'Tested',
  committed: 'Committed',
}

/** What was done for a request: one line, always of the same height, that opens. */
export function RequestDeeds({ entry, isHere }: RequestDeedsProps) {
  if (!entry) {
    return (
      <p class="deeds-line quiet-line">
        {entry === null && 'What was done for this request could not be loaded'}
      </p>
    )
  }
  if (entry.state === 'asked' && entry.against.length === 0)
    return <p class="deeds-line quiet-line">No changes or commands recorded</p>
  const { files, commands, ended, commits, clauses = [] } = entry
  const open = clauses.filter(({ evidence }) => evidence.length === 0)
  return (
    <details class="deeds">
      <summary class="deeds-line">
        <span class="tag">{STATES[entry.state]}</span>{' '}
        {entry.against.map((doubt) => (
          <Fragment key={doubt}>
            <DoubtTag doubt={doubt} />{' '}
          </Fragment>
        ))}
        {sumOf(entry)}
      </summary>
      {files.length > 0 && (
        <ul class="plain-list" aria-label="Files">
          {files.map((file) => (
            <li key={file.path}>
              <FilePath path={file.path} isHere={isHere} /> <span class="plus">+{file.plus}</span>{' '}
              <span class="minus">−{file.minus}</span>
              <Standing part={file.standing} />
            </li>
          ))}
        </ul>
      )}
      {commands > 0 && (
        <>
          <p class="quiet-line">{counted(commands, 'command')} run</p>
          <Lines label="Tests and builds" lines={ended} />
        </>
      )}
      <Lines label="Commits" lines={commits.map((commit) => `Commit ${commit}`)} />
      {open.length > 0 && (
        <>
          <p class="quiet-line">No evidence found for:</p>
          <Lines label="No evidence found for" lines={open.map(({ clause }) => clause)} />
        </>
      )}
    </details>
  )
}

export function DoubtTag({ doubt }: { readonly doubt: LedgerEntry['against'][number] }) {
  return (
    <span class="tag" data-effect="destroy">
      {doubt}
    </span>
  )
}

function sumOf({ files, commands, ended, commits }: LedgerEntry): string {
  const sum = (of: 'plus' | 'minus') => files.reduce((all, file) => all + file[of], 0)
  return [
    files.length > 0 && `${counted(files.length, 'file')} +${sum('plus')} −${sum('minus')}`,
    // The last end is how it stands; those before it are in the list.
    ended.at(-1)?.replace(/ \(.*$/s, ''),
    commands > 0 && counted(commands, 'command'),
    commits.length > 0 && counted(commits.length, 'commit'),
  ]
    .filter(Boolean)
    .join(', ')
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString()} ${count === 1 ? noun : `${noun}s`}`
}

function Standing({ part }: { readonly part: number | undefined }) {
  if (part === undefined || part >= 1) return null
  return <span class="quiet-line"> {Math.round(part * 100)}% of the new lines still there</span>
}

function Lines({ label, lines }: { readonly label: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <ul class="plain-list" aria-label={label}>
      {lines.map((line, place) => (
        <li key={place}>{line}</li>
      ))}
    </ul>
  )
}
