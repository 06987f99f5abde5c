import { PageHeader } from '../../parts/page-header.tsx'

export function FilePage() {
  return <PageHeader title="File" />
}
