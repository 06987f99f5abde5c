import type { FlagValue as Value } from '@secretary-mcp/secretary/guide/flag-value.ts'
import type { listFeatureFlags } from '@secretary-mcp/secretary/guide/tools/list-feature-flags.ts'
import type { listProjectFlags } from '@secretary-mcp/secretary/guide/tools/list-project-flags.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { FlagValue, NewFlag, setFlag } from './flag-switch.tsx'
import { useGuide } from './guide-data.ts'

type Flags = Readonly<Record<string, Value>>

/** The flags that count here. The tools tell the resolved ones and the global ones; a difference is the project's. */
export function FlagTable() {
  const resolved = useGuide<typeof listProjectFlags>('list_project_flags', {})
  const global = useGuide<typeof listFeatureFlags>('list_feature_flags', {})
  return (
    <section class="spaced">
      <h2 class="section-title">Flags</h2>
      <Loaded query={resolved}>
        {({ value: { flags } }) => (
          <>
            {Object.keys(flags).length === 0 ? (
              <NoFlags />
            ) : (
              <Table flags={flags} global={global.value?.value.flags} />
            )}
            <NewFlag flags={flags} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function Table({ flags, global }: { readonly flags: Flags; readonly global?: Flags }) {
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
          {Object.entries(flags)
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([name, value]) => (
              <Row key={name} name={name} value={value} global={global} />
            ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  readonly name: string
  readonly value: Value
  readonly global?: Flags
}

function Row({ name, value, global }: RowProps) {
  const source = global ? sourceOf(name, value, global) : ''
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
      </th>
      <td>
        <FlagValue name={name} value={value} />
      </td>
      <td>{source}</td>
      <td>
        {source.startsWith('this project') && (
          <button
            type="button"
            class="button quiet"
            aria-label={`Remove flag ${name}`}
            onClick={() => setFlag(name, { before: value, value: null })}
          >
            Remove
          </button>
        )}
      </td>
    </tr>
  )
}

function sourceOf(name: string, value: Value, global: Flags): string {
  if (!Object.hasOwn(global, name)) return 'this project'
  return JSON.stringify(global[name]) === JSON.stringify(value)
    ? 'all projects'
    : 'this project, overriding all projects'
}

function NoFlags() {
  return (
    <Empty title="No flags are set">
      <p>
        Flags turn documents on or off, and agents can read them. Set one for this project here; an
        agent sets one for all projects with <code>set_feature_flag</code>.
      </p>
    </Empty>
  )
}
