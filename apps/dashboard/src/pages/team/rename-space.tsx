import { call } from '../../live/api.ts'
import { changed } from '../../live/topics.ts'
import { RenameForm } from '../../parts/rename-form.tsx'
import { say } from '../../parts/toasts.tsx'
import { SHOWN_IN, type Space } from './team-data.ts'

interface RenameProps {
  readonly space: Space
  readonly onClose: () => void
}

export function RenameSpace({ space: { id, name }, onClose }: RenameProps) {
  const save = async (next: string, before: string) => {
    const body = { name: next, before }
    await call('patch /api/v1/spaces/{space}', { params: { space: id }, body })
    say(`Renamed to ${next}`)
    changed(...SHOWN_IN)
  }
  return <RenameForm what="space" label="Name" {...{ name, longest: 50, save, onClose }} />
}
