import { call } from '../../live/api.ts'
import { go, pathTo } from '../../live/router.ts'
import { change } from './team-data.ts'

/** Whoever creates a space is its operator. */
export function NewSpace() {
  const create = async (event: SubmitEvent) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget as HTMLFormElement)
    const name = String(given.get('name')).trim()
    const made = call('post /api/v1/spaces', {
      body: { name, forProject: given.get('project') === 'on' },
    })
    if (await change(made, `Created ${name}`))
      go(pathTo(['team'], { space: (await made).space.id }))
  }
  return (
    <section>
      <h2 class="section-title">New space</h2>
      <form class="stack space-form" onSubmit={create}>
        <label class="field">
          <span>Name</span>
          <input name="name" required maxLength={50} autocomplete="off" />
        </label>
        <label class="check">
          <input type="checkbox" name="project" /> For the team of this project
        </label>
        <div class="form-actions">
          <button type="submit" class="button primary">
            Create space
          </button>
        </div>
      </form>
    </section>
  )
}
