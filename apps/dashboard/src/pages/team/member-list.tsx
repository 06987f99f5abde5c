import { call } from '../../live/api.ts'
import { useQuery } from '../../live/use-query.ts'
import { Select } from '../../parts/select.tsx'
import { Loaded } from '../../parts/states.tsx'
import { change, type Member, ROLES, type Space } from './team-data.ts'

interface MemberListProps {
  readonly space: Space
  readonly me: string
}

/** Who belongs to a space; its operators change that here. */
export function MemberList({ space, me }: MemberListProps) {
  const { id, role } = space
  const members = useQuery(`members ${id}`, 'team', (signal) =>
    call('get /api/v1/spaces/{space}/members', { params: { space: id }, signal }),
  )
  const mayChange = role === 'operator'
  return (
    <section>
      <h2 class="section-title">People</h2>
      <Loaded query={members} rows={3}>
        {({ members: people }) => (
          <div class="table-scroll">
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">Person</th>
                  <th scope="col">Role</th>
                  {mayChange && <td />}
                </tr>
              </thead>
              <tbody>
                {people.map((member) => (
                  <MemberRow key={member.user} {...{ space, me, member, mayChange }} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
      {mayChange && <AddPerson space={space} />}
    </section>
  )
}

interface MemberRowProps extends MemberListProps {
  readonly member: Member
  readonly mayChange: boolean
}

function MemberRow({ space, me, member, mayChange }: MemberRowProps) {
  const { user, role, isInvited } = member
  const params = { space: space.id, user }
  const give = (next: string) =>
    void change(
      call('put /api/v1/spaces/{space}/members/{user}', {
        params,
        body: { role: next as Member['role'], before: role },
      }),
      isInvited
        ? `${user} is invited as ${next}`
        : `${user} is now ${next === 'operator' ? 'an' : 'a'} ${next}`,
    )
  const remove = () =>
    void change(
      call('delete /api/v1/spaces/{space}/members/{user}', { params, query: { before: role } }),
      `Removed ${user} from ${space.name}`,
    )
  return (
    <tr>
      <th scope="row">
        {user}
        {user === me && ' (you)'}
        {isInvited && <span class="quiet-line"> invited, has not joined</span>}
      </th>
      <td>
        {mayChange ? (
          <Select label={`Role of ${user}`} value={role} options={ROLES} onChange={give} />
        ) : (
          role
        )}
      </td>
      {mayChange && (
        <td>
          {user !== me && (
            <button
              type="button"
              class="button quiet"
              aria-label={`Remove ${user}`}
              onClick={remove}
            >
              Remove
            </button>
          )}
        </td>
      )}
    </tr>
  )
}

function AddPerson({ space }: { readonly space: Space }) {
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const given = new FormData(form)
    const user = String(given.get('user')).trim()
    const added = call('put /api/v1/spaces/{space}/members/{user}', {
      params: { space: space.id, user },
      // Whoever belongs to it already keeps their role: it is changed in the list.
      body: { role: String(given.get('role')) as Member['role'], before: null },
    })
    if (await change(added, `Invited ${user} to ${space.name}`)) form.reset()
  }
  return (
    <form class="add-person" onSubmit={add}>
      <label class="field">
        <span>Invite a person</span>
        <input name="user" required maxLength={200} autocomplete="off" />
      </label>
      <label class="field">
        <span>As</span>
        <select name="role">
          {ROLES.map(([role, name]) => (
            <option key={role} value={role} selected={role === 'member'}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="button">
        Invite
      </button>
    </form>
  )
}
