import type { Log } from '@secretary-mcp/core/log.ts'
import { commands, env, l10n, Uri } from 'vscode'
import { offer } from '../offer.ts'
import type { Companion } from './companion.ts'
import type { PagePanel } from './page-panel.ts'

/** Shows the web page of the server in the person's browser, also where VS Code itself is reached through a proxy. */
export function openInBrowser(companion: Companion, log: Log): Promise<void> {
  return reporting(log, async () => {
    const url = await companion.pageAddress()
    const reached = await env.asExternalUri(Uri.parse(url))
    if (await env.openExternal(reached)) return
    const words = l10n.t('No browser was opened. The page is at {0}', url)
    offer(words, l10n.t('Copy Address'), () => env.clipboard.writeText(url))
  })
}

/** The same page in a tab of the editor. */
export function openInEditor(companion: Companion, panel: PagePanel, log: Log): Promise<void> {
  return reporting(log, async () => panel.show(await companion.served()))
}

async function reporting(log: Log, open: () => Promise<void>): Promise<void> {
  try {
    await open()
  } catch (error) {
    log.error(`The page did not open. ${(error as Error).message}`)
    offer(l10n.t('The page did not open. The log says why.'), l10n.t('Show Logs'), () =>
      commands.executeCommand('copilotChatSecretary.showLogs'),
    )
  }
}
