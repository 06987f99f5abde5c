import { fileURLToPath } from 'node:url'
import { linesOf, linesThat } from '../deeds/changed-lines.ts'
import type { DeedFacts } from '../deeds/deed.ts'
import { deedsOfDone } from '../deeds/done-call.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../reading/loose-json.ts'

/** Parts of an answer: invocations of tools, and groups of edits to a file. */
export function partDeeds(part: JsonObject, time: number | undefined): DeedFacts[] {
  if (part.kind === 'textEditGroup') return editDeeds(part, time)
  if (part.kind !== 'toolInvocationSerialized' || part.isComplete === false) return []
  const { toolId, toolCallId, toolSpecificData, invocationMessage, pastTenseMessage, isConfirmed } =
    part
  if (objectOf(isConfirmed).type === 0) return []
  const about = objectOf(toolSpecificData)
  const facts = { call: textOf(toolCallId), time }
  if (about.kind === 'terminal') return terminalDeeds(about, facts)
  if (about.kind === 'subagent')
    return [
      { ...facts, kind: 'helper', text: textOf(about.description) ?? textOf(about.prompt) ?? '' },
    ]
  const [uri] = [pastTenseMessage, invocationMessage].flatMap((one) =>
    Object.keys(objectOf(objectOf(one).uris)),
  )
  const path = uri === undefined ? undefined : pathOf(uri)
  return /read_?file/i.test(String(toolId)) && path ? [{ ...facts, kind: 'read', path }] : []
}

function terminalDeeds(about: JsonObject, facts: Pick<DeedFacts, 'call' | 'time'>): DeedFacts[] {
  const line = objectOf(about.commandLine)
  const command =
    textOf(line.userEdited) ??
    textOf(line.toolEdited) ??
    textOf(line.original) ??
    textOf(about.command)
  const { exitCode } = objectOf(about.terminalCommandState)
  const output = textOf(objectOf(about.terminalCommandOutput).text) ?? ''
  return command === undefined
    ? []
    : deedsOfDone({
        ...facts,
        name: 'run_in_terminal',
        input: { command },
        output,
        exit: typeof exitCode === 'number' ? exitCode : null,
      })
}

/** What the edits put in; what they replaced is known only by its place. */
function editDeeds({ uri, edits }: JsonObject, time: number | undefined): DeedFacts[] {
  const path = pathOf(objectOf(uri))
  const texts = listOf(edits)
    .flatMap((group) => listOf(group).map(objectOf))
    .map(({ text }) => textOf(text) ?? '')
  if (path === undefined || texts.length === 0) return []
  return [{ kind: 'change', path, time, lines: linesThat(texts.flatMap(linesOf), []) }]
}

function pathOf(uri: unknown): string | undefined {
  const { fsPath, path, external } = objectOf(uri)
  const text = typeof uri === 'string' ? uri : (textOf(fsPath) ?? textOf(path) ?? textOf(external))
  try {
    return text?.startsWith('file:') ? fileURLToPath(text.split('#')[0] ?? '') : text
  } catch {
    return undefined
  }
}
