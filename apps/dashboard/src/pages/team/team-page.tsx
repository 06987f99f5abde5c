import { call } from '../../live/api.ts'
import { pathTo, usePlace } from '../../live/router.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { NewSpace } from './new-space.tsx'
import { SpaceView } from './space-view.tsx'
import { change, EVERYBODY, type Space, useInvitations, useSpaces } from './team-data.ts'

export function TeamPage() {
  const { query } = usePlace()
  const wanted = query.get('space')
  const spaces = useSpaces()
  return (
    <Loaded query={spaces} rows={4}>
      {({ spaces: known }) => {
        const chosen = known.find(({ id }) => id === wanted)
        if (chosen) return <SpaceView key={chosen.id} space={chosen} />
        return (
          <>
            <PageHeader title="Team" lead="What you share, and with whom" />
            {wanted && <Empty title="You do not belong to this space" />}
            <Invitations />
            <SpaceList spaces={known} />
            <NewSpace />
          </>
        )
      }}
    </Loaded>
  )
}

/** Nobody is put into a space: the person joins it here, or does not. */
function Invitations() {
  const all = useInvitations().value?.invitations ?? []
  if (all.length === 0) return null
  return (
    <section>
      <h2 class="section-title">Invitations</h2>
      <ul class="spaces">
        {all.map(({ space: { id, name }, role, invitedBy }) => (
          <li key={id}>
            {name}{' '}
            <span class="quiet-line">
              {invitedBy} invites you as {nameOf(role)}
            </span>{' '}
            <button
              type="button"
              class="button"
              aria-label={`Join ${name}`}
              onClick={() =>
                void change(
                  call('post /api/v1/invitations/{space}', { params: { space: id } }),
                  `You have joined ${name}`,
                )
              }
            >
              Join
            </button>{' '}
            <button
              type="button"
              class="button quiet"
              aria-label={`Decline ${name}`}
              onClick={() =>
                void change(
                  call('delete /api/v1/invitations/{space}', { params: { space: id } }),
                  `You have declined to join ${name}`,
                )
              }
            >
              Decline
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function SpaceList({ spaces }: { readonly spaces: readonly Space[] }) {
  return (
    <section>
      <h2 class="section-title">Spaces</h2>
      <ul class="spaces">
        {spaces.map(({ id, name, role, project }) => (
          <li key={id}>
            <a href={pathTo(['team'], { space: id })}>{name}</a>{' '}
            <span class="quiet-line">
              {id === EVERYBODY ? 'everyone on this server' : `you are ${nameOf(role)}`}
              {project && `, ${project}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function nameOf(role: Space['role']): string {
  return role === 'operator' ? 'an operator' : `a ${role}`
}
