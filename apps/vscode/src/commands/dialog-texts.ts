import type { Dialog, Turn } from '@secretary-mcp/transcripts/dialog.ts'
import { titleOf } from '../views/wording.ts'

/** A dialog as people file it away. */
export function markdownOf(dialog: Dialog, turns: readonly Turn[]): string {
  const parts = turns.map(({ position, time, request, answers, answer }) =>
    [
      `## ${position}. Request, ${new Date(time).toISOString()}`,
      ...(answers ? [`Answers: ${answers}`] : []),
      quoted(request),
      answer ?? '_No answer._',
    ].join('\n\n'),
  )
  return `${[`# ${titleOf(dialog)}`, `Session \`${dialog.sessionId}\``, ...parts].join('\n\n')}\n`
}

export function jsonOf(dialog: Dialog, turns: readonly Turn[]): string {
  return JSON.stringify(fullRecordOf(dialog, turns), null, 2)
}

export function fullRecordOf(dialog: Dialog, turns: readonly Turn[]): object {
  const requests = turns.map(({ position, time, request, answers, answer }) => ({
    index: position,
    timestamp: time,
    request,
    answers,
    answer,
  }))
  return { ...recordOf(dialog), requests }
}

/** What other extensions get to see of a dialog. */
export function recordOf({
  key: _key,
  size: _size,
  mtimeMs: _mtimeMs,
  source: _source,
  ...record
}: Dialog): object {
  return record
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}
