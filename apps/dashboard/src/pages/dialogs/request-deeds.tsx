import { useState } from 'preact/hooks'
import { Loaded } from '../../parts/states.tsx'
import { ChangedFiles } from './changed-files.tsx'
import type { LedgerEntry } from './dialog-data.ts'
import { FileSum, Outcome } from './outcome.tsx'
import { RunCommands } from './run-commands.tsx'
import { useWork } from './use-work.ts'

interface RequestDeedsProps {
  readonly session: string
  /** Null where it could not be loaded, undefined while it is loading. */
  readonly entry: LedgerEntry | null | undefined
  /** Whether its files are those of the project that the page shows. */
  readonly isHere: boolean
}

/** What was done for a request: one line, always of the same height, that opens. */
export function RequestDeeds({ session, entry, isHere }: RequestDeedsProps) {
  const [isOpen, setOpen] = useState(false)
  if (!entry) {
    return (
      <p class="deeds-line quiet-line">
        {entry === null && 'What was done for this request could not be loaded'}
      </p>
    )
  }
  if (entry.state === 'asked' && entry.against.length === 0)
    return <p class="deeds-line quiet-line">No changes or commands recorded</p>
  return (
    <details class="deeds" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="deeds-line">
        <Outcome entry={entry} /> <FileSum files={entry.files} />{' '}
        <span class="quiet-line">{sumOf(entry)}</span>
      </summary>
      <DeedsOfRequest session={session} entry={entry} isOpen={isOpen} isHere={isHere} />
    </details>
  )
}

interface DeedsProps extends RequestDeedsProps {
  readonly entry: LedgerEntry
  /** Its changes and commands are asked for once somebody looks. */
  readonly isOpen: boolean
}

/** Files with their diffs, commands with their ends, commits. */
export function DeedsOfRequest({ session, entry, isOpen, isHere }: DeedsProps) {
  const work = useWork(session, entry.index, isOpen)
  const { files, commands, commits, clauses = [] } = entry
  const open = clauses.filter(({ evidence }) => evidence.length === 0)
  return (
    <div class="deeds-of">
      {files.length > 0 && (
        <ChangedFiles files={files} changes={work.value?.changes ?? []} isHere={isHere} />
      )}
      {commands > 0 && (
        <Loaded query={work} rows={2}>
          {(done) => <RunCommands commands={done.commands} />}
        </Loaded>
      )}
      <Lines label="Commits" lines={commits.map(commitLine)} />
      {open.length > 0 && (
        <>
          <p class="quiet-line">No evidence found for:</p>
          <Lines label="No evidence found for" lines={open.map(({ clause }) => clause)} />
        </>
      )}
    </div>
  )
}

function sumOf({ commands, ended, commits }: LedgerEntry): string {
  return [
    // The last end is how it stands; those before it are in the list.
    ended.at(-1)?.replace(/ \(.*$/s, ''),
    commands > 0 && counted(commands, 'command'),
    commits.length > 0 && counted(commits.length, 'commit'),
  ]
    .filter(Boolean)
    .join(', ')
}

function commitLine({ sha, subject, onCurrentBranch }: LedgerEntry['commits'][number]): string {
  const where = onCurrentBranch === false ? ' (not on the current branch)' : ''
  return `Commit ${[sha, subject].filter(Boolean).join(' ')}${where}`
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString()} ${count === 1 ? noun : `${noun}s`}`
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
