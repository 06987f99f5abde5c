import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import { shownPath } from '../../live/session.ts'
import { changed } from '../../live/topics.ts'
import { useQuery } from '../../live/use-query.ts'
import { DiffText } from '../../parts/diff-text.tsx'
import { Pre } from '../../parts/scrollable.tsx'
import { Loaded } from '../../parts/states.tsx'
import { say } from '../../parts/toasts.tsx'
import type { SetupState } from './today-data.ts'

type Agent = SetupState['agents'][number]
type Edit = AnswerOf<'get /api/v1/setup/{agent}'>['edits'][number]

/** One agent that was found: what would be written for it is shown before it is. */
export function AgentSetup({
  agent,
  children,
}: {
  readonly agent: Agent
  /** What else can be done about it. */
  readonly children?: ComponentChildren
}) {
  const { id, label, hasEntry, hasForeignEntry, looked } = agent
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <div class="setup-agent">
        <span>
          <strong>{label}</strong>{' '}
          <span class="path quiet-line">{shownPath(looked.join(', '))}</span>
          {hasForeignEntry && <span class="tag danger">unknown entry</span>}
        </span>
        {hasEntry ? (
          <span class="tag">connected</span>
        ) : (
          <span class="setup-actions">
            <button
              type="button"
              class="button"
              aria-expanded={isOpen}
              aria-label={`Show changes for ${label}`}
              onClick={() => setOpen(!isOpen)}
            >
              Show changes
            </button>
            {children}
          </span>
        )}
      </div>
      {isOpen && !hasEntry && <Changes id={id} />}
    </li>
  )
}

function Changes({ id }: Pick<Agent, 'id'>) {
  const query = useQuery(`setup ${id}`, 'stats', (signal) =>
    call('get /api/v1/setup/{agent}', { params: { agent: id }, signal }),
  )
  const [isBusy, setBusy] = useState(false)
  const write = async (version: string) => {
    setBusy(true)
    try {
      const given = { params: { agent: id }, query: { version } }
      const { files, notes } = await call('post /api/v1/setup/{agent}', given)
      say(`Written: ${files.join(', ')}`)
      for (const note of notes) say(note)
    } catch (error) {
      say((error as Error).message)
    }
    changed('stats')
    setBusy(false)
  }
  return (
    <Loaded query={query} rows={3}>
      {({ edits, version }) => (
        <div class="setup-changes">
          {edits.map((edit) => (
            <ShownEdit key={`${edit.file} ${edit.label}`} edit={edit} />
          ))}
          {edits.some(({ state }) => state === 'new') && (
            <p>
              <button
                type="button"
                class="button primary"
                disabled={isBusy}
                onClick={() => write(version)}
              >
                Write these changes
              </button>{' '}
              <span class="quiet-line">
                <code>secretary init --undo</code> takes them back.
              </span>
            </p>
          )}
        </div>
      )}
    </Loaded>
  )
}

function ShownEdit({
  edit: { file, state, change, reason, found, addition },
}: {
  readonly edit: Edit
}) {
  return (
    <div>
      <p class="path">{shownPath(file)}</p>
      {state === 'there' && <p class="quiet-line">has an entry for Secretary already</p>}
      {state === 'new' && <DiffText text={change ?? ''} />}
      {state === 'foreign' && (
        <>
          <p role="alert">
            This file has an entry for Secretary that Secretary did not write. If you did not write
            it, remove it.
          </p>
          <Pre>{found ?? ''}</Pre>
          <p class="quiet-line">This belongs there:</p>
          <Pre>{addition}</Pre>
        </>
      )}
      {state === 'by-hand' && (
        <>
          <p class="quiet-line">{reason} Add by hand:</p>
          <Pre>{addition}</Pre>
        </>
      )}
    </div>
  )
}
