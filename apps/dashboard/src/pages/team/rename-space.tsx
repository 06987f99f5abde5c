import { call } from '../../live/api.ts'
import { Modal } from '../../parts/modal.tsx'
import { change, type Space } from './team-data.ts'

interface RenameProps {
  readonly space: Space
  readonly onClose: () => void
}

export function RenameSpace({ space: { id, name }, onClose }: RenameProps) {
  const rename = async (event: SubmitEvent) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget as HTMLFormElement)
    const next = String(given.get('name')).trim()
    const renamed = call('patch /api/v1/spaces/{space}', {
      params: { space: id },
      body: { name: next },
    })
    if (await change(renamed, `Renamed to ${next}`)) onClose()
  }
  return (
    <Modal title="Rename space" onClose={onClose}>
      <form class="stack" onSubmit={rename}>
        <label class="field">
          <span>Name</span>
          <input name="name" required maxLength={50} defaultValue={name} />
        </label>
        <div class="form-actions">
          <button type="submit" class="button primary">
            Save
          </button>
        </div>
      </form>
    </Modal>
  )
}
