import { useRef, useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import { ChangedMeanwhile, foundMeanwhile } from '../../parts/changed-meanwhile.tsx'
import { change, type Space } from './team-data.ts'

export type SharedDocument = AnswerOf<'get /api/v1/spaces/{space}/documents'>['documents'][number]

interface ShareProps {
  readonly space: Space
  /** What is shared there, as the person sees it. */
  readonly shared: readonly SharedDocument[]
  readonly me: string
}

type Theirs = Partial<Pick<SharedDocument, 'author'>> & { readonly updatedAt: string | null }

/** A copy of one's own; a copy that somebody else shared is replaced only once the person has said so. */
export function ShareDocument({ space: { id, name }, shared, me }: ShareProps) {
  const form = useRef<HTMLFormElement>(null)
  const [theirs, setTheirs] = useState<Theirs>()
  const close = () => {
    setTheirs(undefined)
    form.current?.reset()
  }
  const share = async (agreed?: Theirs) => {
    if (!form.current) return
    const path = String(new FormData(form.current).get('path')).trim()
    const known = agreed ?? shared.find((one) => one.path === path)
    if (!agreed && known?.author !== undefined && known.author !== me) return setTheirs(known)
    const put = call('put /api/v1/spaces/{space}/documents', {
      params: { space: id },
      body: { path, before: known?.updatedAt ?? null },
    }).catch((error: unknown) => {
      setTheirs(foundMeanwhile<Theirs>(error))
      throw error
    })
    if (await change(put, `${name} has a copy of ${path}`)) close()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void share()
  }
  return (
    <>
      <form ref={form} class="add-person" onSubmit={submit}>
        <label class="field">
          <span>Share a document of yours</span>
          <input
            name="path"
            required
            maxLength={500}
            placeholder="guidelines/errors.md"
            onInput={() => setTheirs(undefined)}
          />
        </label>
        <button type="submit" class="button">
          Share
        </button>
      </form>
      {theirs && (
        <ChangedMeanwhile
          question={
            theirs.author === undefined
              ? `${name} no longer has a copy of it.`
              : `${name} has a copy of it from ${theirs.author}.`
          }
          mine="Share mine"
          theirs="Leave it"
          onMine={() => void share(theirs)}
          onTheirs={close}
        />
      )}
    </>
  )
}
