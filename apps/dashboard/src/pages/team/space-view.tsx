import { useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import { go, pathTo } from '../../live/router.ts'
import { session } from '../../live/session.ts'
import { useStore } from '../../live/store.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { MemberList } from './member-list.tsx'
import { RenameSpace } from './rename-space.tsx'
import { SpaceDocuments } from './space-documents.tsx'
import { SpaceLog } from './space-log.tsx'
import { change, EVERYBODY, type Space } from './team-data.ts'

/** A space: who belongs to it, what may be done with it, and who changed what. */
export function SpaceView({ space }: { readonly space: Space }) {
  const { id, name, role } = space
  const [isRenaming, setRenaming] = useState(false)
  const me = useStore(session)?.user ?? ''
  const away = async (work: () => Promise<unknown>, question: string, done: string) => {
    if (window.confirm(question) && (await change(work(), done))) go(pathTo(['team']))
  }
  const leave = () =>
    away(
      () =>
        call('delete /api/v1/spaces/{space}/members/{user}', { params: { space: id, user: me } }),
      `Leave ${name}? You will no longer see what is shared in it.`,
      `You have left ${name}`,
    )
  const remove = () =>
    away(
      () => call('delete /api/v1/spaces/{space}', { params: { space: id } }),
      `Delete ${name} for good? Its tasks go back to their owners; everything else in it is lost.`,
      `Deleted ${name}`,
    )
  return (
    <>
      <PageHeader title={name} lead={<a href={pathTo(['team'])}>All spaces</a>}>
        {id !== EVERYBODY && (
          <>
            {role === 'operator' && (
              <button type="button" class="button" onClick={() => setRenaming(true)}>
                Rename
              </button>
            )}
            <button type="button" class="button" onClick={leave}>
              Leave
            </button>
            {role === 'operator' && (
              <button type="button" class="button danger" onClick={remove}>
                Delete
              </button>
            )}
          </>
        )}
      </PageHeader>
      {isRenaming && <RenameSpace space={space} onClose={() => setRenaming(false)} />}
      {id === EVERYBODY ? (
        <p class="quiet-line">
          Everyone on this server belongs to this space. Its operators are those of the server.
        </p>
      ) : (
        <MemberList space={space} me={me} />
      )}
      <SpaceDocuments space={space} me={me} />
      <SpaceLog space={id} />
    </>
  )
}
