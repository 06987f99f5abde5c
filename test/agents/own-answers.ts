import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'
import { expect } from 'vitest'
import type { AgentHouse } from './agent-house.ts'
import type { Heard } from './model/scripted-model.ts'

export const EARLIER = 'An earlier dialog, held with another agent'

/** Whether a tool told the model that this is its dialog, however the agent wraps the answer. */
export function isAnsweredWith(sessionId: string, heard: readonly Heard[]): boolean {
  const answer = new RegExp(`sessionId\\\\*":\\s*\\\\*"${sessionId}`)
  return heard.some(({ words }) => answer.test(words))
}

/** The one dialog of an agent that is not among those known. */
export function newestOf(
  house: AgentHouse,
  source: SourceName,
  known: readonly string[] = [],
): string {
  const { dialogs } = house.ask('list_dialogs', { source, limit: 100 })
  const own = (dialogs as { sessionId: string }[]).filter(
    ({ sessionId }) => sessionId !== 'earlier' && !known.includes(sessionId),
  )
  expect(own).toHaveLength(1)
  return own[0]?.sessionId ?? ''
}

export function putEarlierDialog(house: AgentHouse): void {
  const lines = [
    { type: 'user', message: { role: 'user', content: EARLIER } },
    {
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] },
    },
  ].map((record, place) =>
    JSON.stringify({
      ...record,
      uuid: `earlier-${place}`,
      sessionId: 'earlier',
      cwd: house.project,
      timestamp: new Date().toISOString(),
    }),
  )
  house.write(
    house.inHome('.claude', 'projects', house.project.replace(/\W/g, '-'), 'earlier.jsonl'),
    `${lines.join('\n')}\n`,
  )
}
