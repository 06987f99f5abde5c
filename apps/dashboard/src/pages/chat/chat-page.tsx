import { PageHeader } from '../../parts/page-header.tsx'

export function ChatPage() {
  return <PageHeader title="Chat" />
}
