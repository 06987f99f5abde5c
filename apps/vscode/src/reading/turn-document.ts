import type { Dialog, Turn } from '@secretary-mcp/transcripts/dialog.ts'
import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import { l10n, Uri } from 'vscode'
import { oneLine } from '../views/wording.ts'

export const TURN_SCHEME = 'secretary-request'
const MAX_NAME = 60

export interface TurnPlace {
  readonly sessionId: string
  readonly position: number
}

/** The address of one request with its answer; its last part is what the tab says. */
export function turnUri({
  sessionId,
  position,
  request,
}: Pick<Turn, 'sessionId' | 'position' | 'request'>): Uri {
  const name = oneLine(request)
    .slice(0, MAX_NAME)
    .replace(/[\\/?#]/g, ' ')
    .trim()
  const query = JSON.stringify({ sessionId, position })
  return Uri.from({
    scheme: TURN_SCHEME,
    path: `/${position}. ${name || l10n.t('Request')}.md`,
    query,
  })
}

export function placeOf({ query }: Pick<Uri, 'query'>): TurnPlace {
  return JSON.parse(query) as TurnPlace
}

/** One request and what came of it, as a page. Words of others bring no pictures and no markup from elsewhere. */
export function turnMarkdown(
  { source, title }: Pick<Dialog, 'source' | 'title'>,
  { position, time, request, answer }: Turn,
  deeds: readonly string[],
): string {
  const parts = [
    `# ${l10n.t('Request {0}', position)}`,
    [agentName(source), title && oneLine(title), new Date(time).toLocaleString()]
      .filter(Boolean)
      .map((text) => plain(String(text)))
      .join(' · '),
    plain(request),
    `## ${l10n.t('Answer')}`,
    answer ? plain(answer) : `_${l10n.t('No answer yet.')}_`,
    ...(deeds.length > 0
      ? [`## ${l10n.t('What was done')}`, deeds.map((deed) => `- ${deed}`).join('\n')]
      : []),
  ]
  return `${parts.join('\n\n')}\n`
}

/** Markdown without pictures and tags: opening a request must not fetch anything. What is code stays as it is. */
export function plain(markdown: string): string {
  let fence: string | undefined
  return markdown
    .split('\n')
    .map((line) => {
      const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
      if (mark && (fence === undefined || line.trim().startsWith(fence)))
        fence = fence === undefined ? mark : undefined
      return mark || fence !== undefined ? line : plainLine(line)
    })
    .join('\n')
}

function plainLine(line: string): string {
  return line
    .split(/(`+[^`]*`+)/)
    .map((part, place) =>
      place % 2 === 1 ? part : part.replace(/!\[/g, '[').replace(/<(?=[a-z/!?])/gi, '&lt;'),
    )
    .join('')
}
