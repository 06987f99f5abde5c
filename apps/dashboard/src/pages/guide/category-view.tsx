import type { categoryList } from '@secretary-mcp/secretary/guide/tools/category-list.ts'
import type { categoryListFiles } from '@secretary-mcp/secretary/guide/tools/category-list-files.ts'
import { useState } from 'preact/hooks'
import { pathTo } from '../../live/router.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { useGuide } from './guide-data.ts'

export function CategoryView({ name }: { readonly name: string }) {
  const [offset, setOffset] = useState(0)
  const list = useGuide<typeof categoryList>('category_list', {})
  const files = useGuide<typeof categoryListFiles>('category_list_files', {
    name,
    offset,
  })
  const category = list.value?.value.categories.find((one) => one.name === name)
  return (
    <>
      <PageHeader title={name} lead={category?.description || 'A category of documents'} />
      {category && (
        <p class="quiet-line">
          Folder <code>{category.dir}</code>, by default{' '}
          <code>{category.patterns.join(', ') || 'all documents'}</code>
        </p>
      )}
      <Loaded query={files}>
        {({ value }) => (
          <>
            {value.total === 0 && (
              <Empty title="No document matches">
                <p>
                  Put Markdown files into <code>{category?.dir}</code> of the docroot, or change the
                  category’s patterns.
                </p>
              </Empty>
            )}
            <ul class="documents">
              {value.files.map(({ uri, layer, description }) => (
                <li key={uri}>
                  <a href={pathTo(['guide'], { document: uri })}>
                    {uri.replace(/^guide:\/\//, '')}
                  </a>{' '}
                  <span class="tag">{layer}</span>
                  {description && <span class="note">{description}</span>}
                </li>
              ))}
            </ul>
            {offset + value.files.length < value.total && (
              <button
                type="button"
                class="button"
                onClick={() => setOffset(offset + value.files.length)}
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
