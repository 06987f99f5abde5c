import { PageHeader } from '../../parts/page-header.tsx'

export function DialogsPage() {
  return <PageHeader title="Dialogs" />
}
