import { shownPath } from '../../live/session.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Pre } from '../../parts/scrollable.tsx'
import { AgentSetup } from './agent-setup.tsx'
import type { SetupState } from './today-data.ts'

/** What to do on a first visit: connect an agent, and see its first call arrive. */
export function SetupCard({ setup }: { readonly setup: SetupState }) {
  const found = setup.agents.filter(({ isFound }) => isFound)
  const missing = setup.agents.filter(({ isFound }) => !isFound)
  return (
    <section class="setup" aria-labelledby="setup-title">
      <h2 id="setup-title">Connect an agent</h2>
      <p>
        Secretary has read no dialogs on this machine, and no agent has called it yet. Connect one
        of your agents, then ask it something in this project.
      </p>
      <p class="setup-call" role="status" data-done={setup.firstCall !== undefined}>
        {setup.firstCall === undefined ? (
          'Waiting for the first call…'
        ) : (
          <>
            First call received: <code>{setup.firstCall}</code>
          </>
        )}
      </p>
      <h3>Found on this machine</h3>
      {found.length === 0 && <p class="quiet-line">None of the agents that Secretary knows.</p>}
      <ul class="setup-agents">
        {found.map((agent) => (
          <AgentSetup key={agent.id} agent={agent} />
        ))}
      </ul>
      <h3>For any other client</h3>
      <Pre>{setup.snippet}</Pre>
      <CopyButton text={() => setup.snippet} label="Copy snippet" />
      {missing.length > 0 && (
        <details>
          <summary>
            {missing.length} {missing.length === 1 ? 'agent' : 'agents'} not found
          </summary>
          <ul class="plain-list">
            {missing.map(({ id, label, looked }) => (
              <li key={id}>
                {label} <span class="quiet-line">looked for</span>{' '}
                <span class="path">{shownPath(looked.join(', '))}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
