import { call } from '../../live/api.ts'
import { pathTo } from '../../live/router.ts'
import { useQuery } from '../../live/use-query.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { When } from '../../parts/when.tsx'
import { change, type Space } from './team-data.ts'

/** Copies of documents that the space has in common; agents read them with get_content("spaces/…"). */
export function SpaceDocuments({ space: { id, name, role } }: { readonly space: Space }) {
  const params = { space: id }
  const documents = useQuery(`space documents ${id}`, 'team', (signal) =>
    call('get /api/v1/spaces/{space}/documents', { params, signal }),
  )
  const unshare = (path: string) =>
    void change(
      call('delete /api/v1/spaces/{space}/documents', { params, query: { path } }),
      `${name} no longer has ${path}`,
    )
  return (
    <section>
      <h2 class="section-title">Documents</h2>
      <Loaded query={documents} rows={2}>
        {({ documents: shared }) =>
          shared.length === 0 ? (
            <Empty title="No documents are shared here" />
          ) : (
            <ul class="space-log">
              {shared.map(({ path, author, updatedAt }) => (
                <li key={path}>
                  <span>
                    <a
                      class="path"
                      href={pathTo(['guide'], { document: `guide://spaces/${name}/${path}` })}
                    >
                      {path}
                    </a>{' '}
                    <span class="quiet-line">
                      {author}, <When at={updatedAt} />
                    </span>
                  </span>
                  {role !== 'reader' && (
                    <button
                      type="button"
                      class="button quiet"
                      aria-label={`Stop sharing ${path}`}
                      onClick={() => unshare(path)}
                    >
                      Stop sharing
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {role !== 'reader' && <ShareDocument space={id} name={name} />}
    </section>
  )
}

function ShareDocument({ space, name }: { readonly space: string; readonly name: string }) {
  const share = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const path = String(new FormData(form).get('path')).trim()
    const shared = call('put /api/v1/spaces/{space}/documents', {
      params: { space },
      body: { path },
    })
    if (await change(shared, `${name} has a copy of ${path}`)) form.reset()
  }
  return (
    <form class="add-person" onSubmit={share}>
      <label class="field">
        <span>Share a document of yours</span>
        <input name="path" required maxLength={500} placeholder="guidelines/errors.md" />
      </label>
      <button type="submit" class="button">
        Share
      </button>
    </form>
  )
}
