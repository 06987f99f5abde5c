import { usePlace } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { FamilyOff } from '../../parts/states.tsx'
import { DialogList } from './dialog-list.tsx'
import { DialogThread } from './dialog-thread.tsx'
import { RequestSearch } from './request-search.tsx'

export function DialogsPage() {
  const on = useFamily('dialogs')
  const { query } = usePlace()
  const session = query.get('session')
  if (!on) {
    return (
      <>
        <PageHeader title="Dialogs" />
        <FamilyOff family="dialogs" what="Dialogs" />
      </>
    )
  }
  if (session)
    return <DialogThread key={session} session={session} at={positive(query.get('at'))} />
  const words = query.get('q') ?? ''
  return (
    <>
      <PageHeader title="Dialogs" lead="What you asked, whichever agent you asked" />
      <RequestSearch words={words} />
      {words.trim() === '' && <DialogList />}
    </>
  )
}

function positive(text: string | null): number | undefined {
  const number = Math.floor(Number(text))
  return number >= 1 && Number.isSafeInteger(number) ? number : undefined
}
