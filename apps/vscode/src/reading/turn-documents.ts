import { l10n, type TextDocumentContentProvider } from 'vscode'
import type { DialogSessionsServiceImpl } from '../sessions/dialog-sessions-service.ts'
import type { OtherAgents } from '../sessions/other-agents-port.ts'
import { placeOf, turnMarkdown } from './turn-document.ts'

/** Requests as documents, read when they are opened. */
export function turnDocuments(
  sessions: DialogSessionsServiceImpl,
  others: OtherAgents,
): TextDocumentContentProvider {
  return {
    async provideTextDocumentContent(uri) {
      const { sessionId, position } = placeOf(uri)
      const dialog = await sessions.findSession(sessionId)
      if (!dialog) return `${l10n.t('Session not found: {0}', sessionId)}\n`
      const turn = await sessions.findTurn(dialog, position)
      if (!turn) return `${l10n.t('Request {0} is not in this dialog any more.', position)}\n`
      return turnMarkdown(dialog, turn, await others.deeds(sessionId, position))
    },
  }
}
