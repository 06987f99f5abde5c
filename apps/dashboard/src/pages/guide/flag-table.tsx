import type { listFeatureFlags } from '../../../../../src/guide/tools/list-feature-flags.ts'
import type { listProjectFlags } from '../../../../../src/guide/tools/list-project-flags.ts'
import { pathTo } from '../../live/router.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { FlagValue, NewFlag, setFlag } from './flag-switch.tsx'
import { useGuide } from './guide-data.ts'

/** The flags that count here. The tools tell the resolved ones and the global ones; a difference is the project's. */
export function FlagTable() {
  const resolved = useGuide<typeof listProjectFlags>('list_project_flags', {})
  const global = useGuide<typeof listFeatureFlags>('list_feature_flags', {})
  return (
    <section class="spaced">
      <h2 class="section-title">Flags</h2>
      <Loaded query={resolved}>
        {({ value: { flags } }) => {
          const names = Object.keys(flags).sort()
          if (names.length === 0) return <NoFlags />
          return (
            <div class="table-scroll">
              <table class="table">
                <thead>
                  <tr>
                    <th scope="col">Flag</th>
                    <th scope="col">Value</th>
                    <th scope="col">Set for</th>
                    <td />
                  </tr>
                </thead>
                <tbody>
                  {names.map((name) => (
                    <tr key={name}>
                      <th scope="row">
                        <code>{name}</code>
                      </th>
                      <td>
                        <FlagValue name={name} value={flags[name]} />
                      </td>
                      <td>
                        {global.value ? sourceOf(name, flags[name], global.value.value.flags) : ''}
                      </td>
                      <td>
                        {global.value && !Object.hasOwn(global.value.value.flags, name) && (
                          <button
                            type="button"
                            class="button quiet"
                            aria-label={`Remove flag ${name}`}
                            onClick={() => setFlag(name, null)}
                          >
                            Remove
                          </button>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }}
      </Loaded>
      <NewFlag />
    </section>
  )
}

function sourceOf(name: string, value: unknown, global: Readonly<Record<string, unknown>>): string {
  if (!Object.hasOwn(global, name)) return 'this project'
  return JSON.stringify(global[name]) === JSON.stringify(value)
    ? 'all projects'
    : 'this project, overriding all projects'
}

function NoFlags() {
  return (
    <Empty title="No flags are set">
      <p>
        Flags turn documents on or off, and agents can read them. Set one with{' '}
        <code>set_project_flag</code> for this project or <code>set_feature_flag</code> for all, on
        the <a href={pathTo(['tools'])}>tools</a> page or by an agent.
      </p>
    </Empty>
  )
}
