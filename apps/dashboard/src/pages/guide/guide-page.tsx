import { PageHeader } from '../../parts/page-header.tsx'

export function GuidePage() {
  return <PageHeader title="Guide" />
}
