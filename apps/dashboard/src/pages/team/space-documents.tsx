import { call } from '../../live/api.ts'
import { pathTo } from '../../live/router.ts'
import { useQuery } from '../../live/use-query.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { When } from '../../parts/when.tsx'
import { ShareDocument, type SharedDocument } from './share-document.tsx'
import { change, type Space } from './team-data.ts'

interface SpaceDocumentsProps {
  readonly space: Space
  readonly me: string
}

/** Copies of documents that the space has in common; agents read them with get_content("spaces/…"). */
export function SpaceDocuments({ space, me }: SpaceDocumentsProps) {
  const { id, name, role } = space
  const params = { space: id }
  const documents = useQuery(`space documents ${id}`, 'team', (signal) =>
    call('get /api/v1/spaces/{space}/documents', { params, signal }),
  )
  const unshare = ({ path, updatedAt: before }: SharedDocument) =>
    void change(
      call('delete /api/v1/spaces/{space}/documents', { params, query: { path, before } }),
      `${name} no longer has ${path}`,
    )
  return (
    <section>
      <h2 class="section-title">Documents</h2>
      <Loaded query={documents} rows={2}>
        {({ documents: shared }) => (
          <>
            {shared.length === 0 && <Empty title="No documents are shared here" />}
            <ul class="space-log" hidden={shared.length === 0}>
              {shared.map((one) => (
                <li key={one.path}>
                  <span>
                    <a
                      class="path"
                      href={pathTo(['guide'], { document: `guide://spaces/${name}/${one.path}` })}
                    >
                      {one.path}
                    </a>{' '}
                    <span class="quiet-line">
                      {one.author}, <When at={one.updatedAt} />
                    </span>
                  </span>
                  {role !== 'reader' && (
                    <button
                      type="button"
                      class="button quiet"
                      aria-label={`Stop sharing ${one.path}`}
                      onClick={() => unshare(one)}
                    >
                      Stop sharing
                    </button>
                  )}
                </li>
              ))}
            </ul>
            {role !== 'reader' && <ShareDocument {...{ space, shared, me }} />}
          </>
        )}
      </Loaded>
    </section>
  )
}
