import { quoteLine } from '@secretary-mcp/core/quote.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { SearchEngine } from '@secretary-mcp/search/search-engine.ts'
import type { ResultSource } from '@secretary-mcp/search/search-types.ts'
import type { FoundNote } from '../find-notes.ts'
import { type Candidate, chooseParts } from './choose-parts.ts'
import { codeCandidates } from './code-candidates.ts'
import type { Pack, PackPorts } from './pack-types.ts'
import { readProjectRules } from './project-rules.ts'
import { rulesFor } from './rules-for.ts'

const NOTES = 8
const RULES = 10
const LONGEST_NOTE = 1_200

interface Parts {
  readonly engine: SearchEngine
  readonly notes: {
    findNotes(
      caller: Caller,
      wanted: { query: string; sources: readonly ResultSource[]; limit: number },
      signal: AbortSignal,
    ): Promise<FoundNote[]>
  }
  readonly ports: PackPorts
}

/** What to read before beginning: rules, wishes, commands, code, tests and what was said before, within a budget. */
export async function packFor(
  caller: Caller,
  { goal, budget }: { readonly goal: string; readonly budget: number },
  { engine, notes, ports }: Parts,
  signal: AbortSignal,
): Promise<Pack> {
  const find = (source: ResultSource) =>
    notes.findNotes(caller, { query: goal, sources: [source], limit: NOTES }, signal)
  const [code, noted, said, own, rules, wishes, commands] = await Promise.all([
    codeCandidates(engine, goal, signal),
    find('discovery'),
    find('session'),
    readProjectRules(caller.project, signal),
    orNothing(ports.rules?.(caller, RULES, signal), signal),
    orNothing(ports.wishes?.(caller, signal), signal),
    orNothing(ports.commands?.(caller, signal), signal),
  ])
  const candidates: Candidate[] = [
    ...code.candidates,
    ...[...noted, ...said].map(noteCandidate),
    ...rulesFor(goal, [...own, ...rules], code.candidates).map(({ text, from }, at) =>
      line('rule', text, from ? `a rule of this project (${from})` : 'from the guide', at),
    ),
    ...wishes.map(({ text, isPinned }, at) =>
      line(
        'wish',
        text,
        isPinned ? 'pinned by the person' : 'the person asked for this from now on',
        at,
      ),
    ),
    ...commands.map(({ command, kind, passed }, at) =>
      line(
        'command',
        command,
        `${kind}; worked ${passed} ${passed === 1 ? 'time' : 'times'} here`,
        at,
      ),
    ),
  ]
  return {
    goal,
    budget,
    ...chooseParts(candidates, budget),
    ...(code.isPartial
      ? { message: 'The index is still being built, so code may be missing; try again in a moment' }
      : {}),
  }
}

function line(kind: Candidate['kind'], text: string, why: string, at: number): Candidate {
  const [name = text] = text.split(' · ')
  const title = name.length > 60 ? `${name.slice(0, 60).trimEnd()}…` : name
  return { kind, title, why, text, worth: 1 / (1 + at) }
}

function noteCandidate({
  source,
  type,
  content,
  session,
  id,
  date,
  score,
  space,
  by,
}: FoundNote): Candidate {
  const index = Number(/\/(\d+)$/.exec(id)?.[1]) || undefined
  const day = date.slice(0, 10)
  return {
    kind: source === 'session' ? 'request' : 'decision',
    title: source === 'session' ? `request of ${day}` : `${type} of ${day}`,
    why: `${source === 'session' ? 'an earlier request about the same and its answer' : 'recorded about this'}${
      space === undefined ? '' : `; a colleague’s, not a rule: ${sharedBy(by, space)}`
    }`,
    ...(space === undefined ? {} : { space, ...(by === undefined ? {} : { by }) }),
    text: content.length > LONGEST_NOTE ? `${content.slice(0, LONGEST_NOTE)}…` : content,
    ...(session ? { session } : {}),
    ...(source === 'session' && index !== undefined ? { index } : {}),
    worth: score,
  }
}

function sharedBy(by: string | undefined, space: string): string {
  return `${quoteLine(by ?? 'somebody')} in the space ${quoteLine(space)}`
}

/** Another family that fails costs its part, not the pack. */
async function orNothing<T>(
  asked: Promise<readonly T[]> | undefined,
  signal: AbortSignal,
): Promise<readonly T[]> {
  try {
    return (await asked) ?? []
  } catch {
    signal.throwIfAborted()
    return []
  }
}
