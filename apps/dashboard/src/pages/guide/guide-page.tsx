import type { categoryList } from '@secretary-mcp/secretary/guide/tools/category-list.ts'
import type { collectionList } from '@secretary-mcp/secretary/guide/tools/collection-list.ts'
import type { getProject } from '@secretary-mcp/secretary/guide/tools/get-project.ts'
import { pathTo, usePlace } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { FamilyOff, Loaded } from '../../parts/states.tsx'
import { WaitingSuggestions } from '../suggestions/suggestion-list.tsx'
import { CategoryView } from './category-view.tsx'
import { CollectionView } from './collection-view.tsx'
import { DocumentEditor } from './document-editor.tsx'
import { DocumentView } from './document-view.tsx'
import { FlagTable } from './flag-table.tsx'
import { useGuide } from './guide-data.ts'
import { ProfileSwitches } from './profile-switches.tsx'
import { Received } from './received.tsx'
import { TrustCard } from './trust-card.tsx'

export function GuidePage() {
  const on = useFamily('guide')
  if (!on) {
    return (
      <>
        <PageHeader title="Rules" />
        <FamilyOff family="guide" what="The house rules" />
      </>
    )
  }
  return (
    <div class="guide">
      <GuideIndex />
      <div class="guide-content">
        <Chosen />
      </div>
    </div>
  )
}

function Chosen() {
  const { query } = usePlace()
  const document = query.get('document')
  const category = query.get('category')
  const collection = query.get('collection')
  if (query.get('new')) return <DocumentEditor />
  const edited = query.get('edit')
  if (edited) return <DocumentEditor key={edited} path={edited} />
  if (document) return <DocumentView key={document} uri={document} />
  if (category) return <CategoryView key={category} name={category} />
  if (collection) return <CollectionView key={collection} name={collection} />
  return <Overview />
}

function GuideIndex() {
  const collections = useGuide<typeof collectionList>('collection_list', {})
  const categories = useGuide<typeof categoryList>('category_list', {})
  const { query } = usePlace()
  const hasContext = useFamily('context')
  return (
    <nav class="guide-index" aria-label="Rules">
      <a href={pathTo(['guide'])} aria-current={query.size === 0 ? 'page' : undefined}>
        Overview
      </a>
      {hasContext && <a href={pathTo(['suggestions'])}>Suggestions</a>}
      <h2>Collections</h2>
      <Loaded query={collections} rows={2}>
        {({ value }) => <Names kind="collection" entries={value.collections} />}
      </Loaded>
      <h2>Categories</h2>
      <Loaded query={categories} rows={4}>
        {({ value }) => <Names kind="category" entries={value.categories} />}
      </Loaded>
    </nav>
  )
}

interface NamesProps {
  readonly kind: 'collection' | 'category'
  readonly entries: readonly { readonly name: string; readonly description: string }[]
}

function Names({ kind, entries }: NamesProps) {
  const { query } = usePlace()
  return (
    <ul>
      {entries.map(({ name, description }) => (
        <li key={name}>
          <a
            href={pathTo(['guide'], { [kind]: name })}
            title={description}
            aria-current={query.get(kind) === name ? 'page' : undefined}
          >
            {name}
          </a>
        </li>
      ))}
    </ul>
  )
}

function Overview() {
  const project = useGuide<typeof getProject>('get_project', {})
  return (
    <>
      <PageHeader title="Rules" lead="The rules for this project, as agents receive them">
        <a class="button" href={pathTo(['guide'], { new: 1 })}>
          New document
        </a>
      </PageHeader>
      <Loaded query={project}>
        {({ value }) => (
          <dl class="figures">
            <div>
              <dt>Project</dt>
              <dd>{value.name}</dd>
            </div>
            <div>
              <dt>Documents</dt>
              <dd>{value.documents}</dd>
            </div>
            <div>
              <dt>Profiles in use</dt>
              <dd>{value.profiles.join(', ') || 'none'}</dd>
            </div>
            <div>
              <dt>Matching profiles</dt>
              <dd>{value.detected.join(', ') || 'none'}</dd>
            </div>
          </dl>
        )}
      </Loaded>
      <WaitingSuggestions />
      <TrustCard />
      <Received />
      <ProfileSwitches />
      <FlagTable />
    </>
  )
}
