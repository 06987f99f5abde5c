import { call } from '../../live/api.ts'
import { useQuery } from '../../live/use-query.ts'
import { AgentSetup } from './agent-setup.tsx'
import { Dismiss } from './needs-you.tsx'

/** Agents that are on this machine and do not know Secretary yet, each with what would be written for it. */
export function ConnectAgents({ dismissed }: { readonly dismissed: readonly string[] }) {
  // Somebody else's machine: there is nothing to set up from here.
  const { value } = useQuery('setup of agents', 'stats', (signal) =>
    call('get /api/v1/setup', { signal }).catch(() => undefined),
  )
  const agents = (value?.agents ?? []).filter(
    ({ id, isFound, hasEntry }) => isFound && !hasEntry && !dismissed.includes(needOf(id)),
  )
  if (agents.length === 0) return null
  return (
    <section class="connect-agents" aria-labelledby="connect-agents">
      <h2 class="section-title" id="connect-agents">
        Not connected
      </h2>
      <p class="quiet-line">Found on this machine; they cannot ask Secretary yet.</p>
      <ul class="setup-agents">
        {agents.map((agent) => (
          <AgentSetup key={agent.id} agent={agent}>
            <Dismiss need={needOf(agent.id)} title={agent.label} />
          </AgentSetup>
        ))}
      </ul>
    </section>
  )
}

function needOf(agent: string): string {
  return `connect ${agent}`
}
