import { usePlace } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { FamilyOff } from '../../parts/states.tsx'
import { DialogFilters, useDialogFilter } from './dialog-filters.tsx'
import { DialogList } from './dialog-list.tsx'
import { DialogThread } from './dialog-thread.tsx'
import { RequestSearch } from './request-search.tsx'

export function DialogsPage() {
  const on = useFamily('dialogs')
  const { query } = usePlace()
  const session = query.get('session')
  const words = query.get('q') ?? ''
  const { chosen } = useDialogFilter()
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
  return (
    <>
      <PageHeader title="Dialogs" lead="What you asked, whichever agent you asked" />
      <SearchBox page="dialogs" words={words} label="Search what you asked" beside={chosen} />
      <DialogFilters words={words} />
      {words.trim() === '' ? <DialogList /> : <RequestSearch words={words.trim()} />}
    </>
  )
}

function positive(text: string | null): number | undefined {
  const number = Math.floor(Number(text))
  return number >= 1 && Number.isSafeInteger(number) ? number : undefined
}
