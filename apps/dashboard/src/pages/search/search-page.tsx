import { PageHeader } from '../../parts/page-header.tsx'

export function SearchPage() {
  return <PageHeader title="Search" />
}
