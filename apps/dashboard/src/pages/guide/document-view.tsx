import type { readResourceTool } from '@secretary-mcp/secretary/guide/tools/read-resource.ts'
import { useState } from 'preact/hooks'
import { pathTo } from '../../live/router.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Pre } from '../../parts/scrollable.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useGuide } from './guide-data.ts'

/** Its place in the docroot. */
function pathOf(uri: string): string {
  return decodeURIComponent(uri.replace(/^guide:\/\//, ''))
}

export function DocumentView({ uri }: { readonly uri: string }) {
  const [offset, setOffset] = useState(0)
  const resource = useGuide<typeof readResourceTool>('read_resource', { uri, offset })
  return (
    <>
      <PageHeader title={uri.replace(/^guide:\/\//, '')}>
        <CopyButton text={() => resource.value?.value.text ?? ''} label="Copy the text" />
        {!uri.startsWith('guide://_') && (
          <a class="button" href={pathTo(['guide'], { edit: pathOf(uri) })}>
            Edit
          </a>
        )}
      </PageHeader>
      <Loaded query={resource} rows={8}>
        {({ value }) => (
          <>
            {/json/.test(value.mime_type) ? (
              <Pre wrap>{value.text}</Pre>
            ) : (
              <Markdown text={value.text} />
            )}
            {value.next_offset !== undefined && (
              <button
                type="button"
                class="button"
                onClick={() => setOffset(value.next_offset ?? 0)}
              >
                Continue reading
              </button>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}
