import type { DialogSessionsServiceImpl } from '../sessions/dialog-sessions-service.ts'
import { fullRecordOf, recordOf } from './dialog-texts.ts'

export type Api = Readonly<
  Record<
    'getStatus' | 'getCurrentDialog' | 'getDialogHistory' | 'getSession',
    (argument?: unknown) => Promise<unknown>
  >
>

const MAX_LISTED = 500

/** What other extensions may ask for. */
export function api(sessions: DialogSessionsServiceImpl): Api {
  return {
    async getStatus() {
      const dialog = await sessions.findCurrent()
      return dialog
        ? {
            status: dialog.status,
            sessionId: dialog.sessionId,
            requestsCount: dialog.requestsCount,
            lastSeen: dialog.lastSeen,
          }
        : { status: 'none' }
    },
    async getCurrentDialog() {
      const dialog = await sessions.findCurrent()
      return dialog && recordOf(dialog)
    },
    async getDialogHistory(options) {
      const { limit, everywhere = false } = (options ?? {}) as {
        limit?: unknown
        everywhere?: boolean
      }
      // Nothing checks what another extension passes: what is no number of dialogs sets no limit.
      const wanted = Number.isInteger(limit) && Number(limit) >= 0 ? Number(limit) : MAX_LISTED
      const listed = await sessions.list({ everywhere })
      return listed.slice(0, Math.min(wanted, MAX_LISTED)).map(recordOf)
    },
    async getSession(sessionId) {
      const dialog =
        typeof sessionId === 'string' ? await sessions.findSession(sessionId) : undefined
      return dialog && fullRecordOf(dialog, await sessions.turns(dialog))
    },
  }
}
