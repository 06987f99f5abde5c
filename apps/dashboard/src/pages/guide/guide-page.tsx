import { pathTo, usePlace } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { FamilyOff, Loaded } from '../../parts/states.tsx'
import { CategoryView } from './category-view.tsx'
import { CollectionView } from './collection-view.tsx'
import { DocumentView } from './document-view.tsx'
import { FlagTable } from './flag-table.tsx'
import { type Category, type Collection, useGuide } from './guide-data.ts'

export function GuidePage() {
  const on = useFamily('guide')
  if (!on) {
    return (
      <>
        <PageHeader title="Guide" />
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
  if (document) return <DocumentView key={document} uri={document} />
  if (category) return <CategoryView key={category} name={category} />
  if (collection) return <CollectionView key={collection} name={collection} />
  return <Overview />
}

function GuideIndex() {
  const collections = useGuide<{ collections: Collection[] }>('collection_list')
  const categories = useGuide<{ categories: Category[] }>('category_list')
  const { query } = usePlace()
  return (
    <nav class="guide-index" aria-label="Guide">
      <a href="/guide" aria-current={query.size === 0 ? 'page' : undefined}>
        Overview
      </a>
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

interface Project {
  readonly name: string
  readonly profiles: readonly string[]
  readonly detected: readonly string[]
  readonly documents: number
}

function Overview() {
  const project = useGuide<Project>('get_project')
  return (
    <>
      <PageHeader title="Guide" lead="The rules of the house, as agents get them" />
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
              <dt>Profiles that fit</dt>
              <dd>{value.detected.join(', ') || 'none'}</dd>
            </div>
          </dl>
        )}
      </Loaded>
      <FlagTable />
    </>
  )
}
