import { DiffText } from '../../parts/diff-text.tsx'
import type { LedgerEntry } from './dialog-data.ts'
import { FilePath } from './file-path.tsx'
import type { Work } from './use-work.ts'

interface ChangedFilesProps extends Pick<LedgerEntry, 'files'> {
  readonly changes: Work['changes']
  readonly isHere: boolean
}

/** Each file once, with all that came and went, and its diff at a click. */
export function ChangedFiles({ files, changes, isHere }: ChangedFilesProps) {
  const deleted = changes.filter(({ kind }) => kind === 'delete')
  return (
    <ul class="work" aria-label="Files">
      {files.map(({ path, plus, minus, standing }) => (
        <li key={path}>
          <FilePath path={path} isHere={isHere} /> <span class="plus">+{plus}</span>{' '}
          <span class="minus">−{minus}</span>
          <Standing part={standing} />
          <Diffs changes={changes.filter((change) => change.path === path)} />
        </li>
      ))}
      {deleted.map(({ path }) => (
        <li key={`deleted ${path}`}>
          <span class="path">{path}</span> <span class="tag">deleted</span>
        </li>
      ))}
    </ul>
  )
}

function Diffs({ changes }: Pick<Work, 'changes'>) {
  const diffs = changes.flatMap(({ diff }) => (diff ? [diff] : []))
  if (diffs.length === 0) return null
  return (
    <details>
      <summary>Diff</summary>
      {diffs.map((diff, place) => (
        <DiffText key={place} text={diff} />
      ))}
    </details>
  )
}

function Standing({ part }: { readonly part: number | undefined }) {
  if (part === undefined || part >= 1) return null
  return <span class="quiet-line"> {Math.round(part * 100)}% of the new lines still there</span>
}
