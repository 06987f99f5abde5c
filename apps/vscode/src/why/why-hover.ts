import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import { Hover, type HoverProvider, l10n, MarkdownString, workspace } from 'vscode'
import { ago, oneLine } from '../views/wording.ts'
import type { Reason, WhyRequests } from './why-requests.ts'

const MAX_SHOWN = 3
const OPEN = 'copilotChatSecretary.openRequest'

/** Says beside a line which request led to it. */
export function whyHover(why: WhyRequests): HoverProvider {
  return {
    async provideHover(document, { line }) {
      if (!workspace.getConfiguration('copilotChatSecretary').get('why.hover', true))
        return undefined
      const reasons = await why.of(document, line + 1)
      return reasons.length > 0 ? new Hover(reasons.slice(0, MAX_SHOWN).map(reasonText)) : undefined
    },
  }
}

function reasonText({ sessionId, source, index, timestamp, request }: Reason): MarkdownString {
  const text = new MarkdownString('', true)
  // Only our own link may run something; the words of a request are text and nothing else.
  text.isTrusted = { enabledCommands: [OPEN] }
  const place = encodeURIComponent(JSON.stringify([sessionId, index]))
  const asked = l10n.t('You asked {0} {1}:', agentName(source), ago(timestamp))
  text.appendMarkdown(`$(comment-discussion) ${asked} `)
  text.appendText(oneLine(request))
  text.appendMarkdown(`\n\n[${l10n.t('Open request {0}', index)}](command:${OPEN}?${place})`)
  return text
}
