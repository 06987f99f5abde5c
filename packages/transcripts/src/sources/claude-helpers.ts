import { basename, join } from 'node:path'
import { claudeDeeds } from '../deeds/readers/claude-code.ts'
import { isCompact } from '../deeds/readers/compact-line.ts'
import { entriesOf, filesIn } from '../reading/files.ts'
import { objectOf, textOf, timeOf } from '../reading/loose-json.ts'
import type { Found, ReadContext } from '../source.ts'
import type { LineFormat } from '../transcript.ts'

const isHelperName = (name: string) => name.startsWith('agent-') && name.endsWith('.jsonl')

export function isHelperFile(path: string): boolean {
  return isHelperName(basename(path))
}

/** `agent-*.jsonl` beside the sessions, in newer versions in `<session>/subagents`. */
export async function helperFiles(root: string, context: ReadContext): Promise<Found[]> {
  const found: Found[][] = []
  for (const slug of await entriesOf(root, context)) {
    const names = await entriesOf(join(root, slug), context)
    if (names.some(isHelperName)) found.push(await filesIn(join(root, slug), isHelperName, context))
    const folders = names.filter((name) => !name.includes('.') && name !== 'memory')
    found.push(
      ...(await Promise.all(
        folders.map((name) => filesIn(join(root, slug, name, 'subagents'), isHelperName, context)),
      )),
    )
  }
  return found.flat()
}

/** A helper's transcript: nothing in it is a person's request; what it did belongs to its lead. */
export const helperFormat: LineFormat = {
  matters: (line) =>
    line.includes('"parentUuid":null') || (!isCompact(line) && line.includes('"parentUuid"')),
  isAnswer: () => false,
  sessionIdOf: (path) => basename(path, '.jsonl'),
  interpret(line) {
    const { sessionId, cwd, timestamp } = objectOf(line)
    return {
      helper: true,
      lead: textOf(sessionId),
      project: textOf(cwd),
      time: timeOf(timestamp),
    }
  },
  deeds: claudeDeeds,
}
