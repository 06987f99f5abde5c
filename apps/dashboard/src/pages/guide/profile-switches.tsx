import type { listProfiles } from '@secretary-mcp/secretary/guide/tools/list-profiles.ts'
import { call } from '../../live/api.ts'
import { changed } from '../../live/topics.ts'
import { Loaded } from '../../parts/states.tsx'
import { say } from '../../parts/toasts.tsx'
import { useGuide } from './guide-data.ts'

/** Ready sets of rules, each on or off for this project. */
export function ProfileSwitches() {
  const profiles = useGuide<typeof listProfiles>('list_profiles', {})
  const turn = async (name: string, input: HTMLInputElement) => {
    const used = input.checked
    try {
      await call('put /api/v1/guide/profiles/{name}', { params: { name }, body: { used } })
      say(used ? `Profile ${name} is in use` : `Profile ${name} is no longer in use`)
    } catch (error) {
      input.checked = !used
      say((error as Error).message)
    }
    changed('guide')
  }
  return (
    <section class="spaced">
      <h2 class="section-title">Profiles</h2>
      <Loaded query={profiles}>
        {({ value }) => (
          <ul class="switches">
            {value.profiles.map(({ name, description, used, fits }) => (
              <li key={name}>
                <label class="check">
                  <input
                    type="checkbox"
                    role="switch"
                    aria-checked={used}
                    checked={used}
                    onChange={(event) => turn(name, event.currentTarget)}
                  />
                  <span>
                    {name} {fits && <span class="tag">fits this project</span>}
                    <span class="note">{description}</span>
                  </span>
                </label>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}
