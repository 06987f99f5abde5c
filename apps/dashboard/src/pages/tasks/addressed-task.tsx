import { ApiError, call } from '../../live/api.ts'
import { useQuery } from '../../live/use-query.ts'
import { Modal } from '../../parts/modal.tsx'
import { Loaded } from '../../parts/states.tsx'
import type { Links, Task } from './task.ts'
import { TaskForm } from './task-form.tsx'

interface AddressedTaskProps {
  readonly id: string
  /** Where it was opened from the list, it is known already. */
  readonly known?: Task
  readonly links: Links
  readonly onClose: () => void
}

/** The task that the address names. */
export function AddressedTask({ id, known, links, onClose }: AddressedTaskProps) {
  const isHere = known?.id === Number(id)
  const query = useQuery(isHere ? undefined : `task ${id}`, undefined, async (signal) => {
    if (!/^\d{1,15}$/.test(id)) throw new ApiError(404, 'Task not found')
    return (await call('get /api/v1/tasks/{id}', { params: { id }, signal })).task
  })
  const form = (task: Task) => (
    <TaskForm key={task.id} task={task} link={links.get(task.id)} onClose={onClose} />
  )
  if (isHere && known) return form(known)
  if (query.value) return form(query.value)
  return (
    <Modal title={`Task ${id}`} onClose={onClose}>
      <Loaded query={query}>{() => null}</Loaded>
    </Modal>
  )
}
