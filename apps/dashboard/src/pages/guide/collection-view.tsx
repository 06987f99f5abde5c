import type { collectionList } from '@secretary-mcp/secretary/guide/tools/collection-list.ts'
import type { getContent } from '@secretary-mcp/secretary/guide/tools/get-content.ts'
import { useState } from 'preact/hooks'
import { pathTo } from '../../live/router.ts'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { useGuide } from './guide-data.ts'

/** What an agent gets when it asks for the collection. */
export function CollectionView({ name }: { readonly name: string }) {
  const [offset, setOffset] = useState(0)
  const list = useGuide<typeof collectionList>('collection_list', {})
  const content = useGuide<typeof getContent>('get_content', { expression: name, offset })
  const collection = list.value?.value.collections.find((one) => one.name === name)
  return (
    <>
      <PageHeader title={name} lead={collection?.description || 'A collection'} />
      {collection && (
        <p class="quiet-line">
          <code>{collection.categories.join(', ')}</code>
        </p>
      )}
      <Loaded query={content} rows={8}>
        {({ value, message, instruction }) => (
          <>
            {value.documents.length === 0 && (
              <Empty title={message ?? 'No document matches'}>
                {instruction && <p>{instruction}</p>}
              </Empty>
            )}
            <ul class="documents inline">
              {value.documents.map(({ uri, name: document }) => (
                <li key={uri}>
                  <a href={pathTo(['guide'], { document: uri })}>{document}</a>
                </li>
              ))}
            </ul>
            <Markdown text={value.content} />
            {value.next_offset !== undefined && (
              <button
                type="button"
                class="button"
                onClick={() => setOffset(value.next_offset ?? 0)}
              >
                Next documents
              </button>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}
