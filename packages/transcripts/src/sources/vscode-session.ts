import { type Mark, type Reading, requestsOf } from '../dialog.ts'
import { type JsonObject, objectOf, textOf, timeOf } from '../reading/loose-json.ts'

export type SessionFacts = Pick<
  Reading,
  'sessionId' | 'project' | 'title' | 'agentId' | 'modelId' | 'firstSeen' | 'lastSeen'
>

/** What the fields beside the requests say about a session, on top of what was known. */
export function aboutSession(state: JsonObject, before: SessionFacts): SessionFacts {
  return {
    ...before,
    sessionId: textOf(state.sessionId) ?? before.sessionId,
    title: textOf(state.customTitle) ?? textOf(state.computedTitle) ?? before.title,
    firstSeen: timeOf(state.creationDate) ?? before.firstSeen,
    lastSeen: timeOf(state.lastMessageDate) ?? before.lastSeen,
    agentId: textOf(state.responderUsername) ?? before.agentId,
    modelId:
      textOf(objectOf(objectOf(state.inputState).selectedModel).identifier) ?? before.modelId,
  }
}

/** A request names the agent and the model that answered it. */
export function withAnswerer(before: SessionFacts, request: JsonObject): SessionFacts {
  return {
    ...before,
    agentId: textOf(objectOf(request.agent).id) ?? before.agentId,
    modelId: textOf(request.modelId) ?? before.modelId,
  }
}

export function withStatus(facts: SessionFacts, marks: readonly Mark[]): Omit<Reading, 'offset'> {
  const requests = requestsOf({ marks })
  const times = requests.map(({ time }) => time).filter((time) => time !== undefined)
  return {
    ...facts,
    marks,
    status: requests.at(-1)?.status ?? 'pending',
    firstSeen: facts.firstSeen ?? times[0],
    lastSeen: Math.max(times.at(-1) ?? 0, facts.lastSeen ?? 0) || undefined,
  }
}
