import { commands, env, Uri } from 'vscode'
import type { Log } from '../../../../src/core/log.ts'
import { offer } from '../offer.ts'
import type { Companion } from './companion.ts'

/** Shows the web page of the server in the person's browser, also where VS Code itself is reached through a proxy. */
export async function openDashboard(companion: Companion, log: Log): Promise<void> {
  try {
    const url = await companion.address()
    const reached = await env.asExternalUri(Uri.parse(url))
    if (await env.openExternal(reached)) return
    const words = `No browser was opened. The dashboard is at ${url}`
    offer(words, 'Copy Address', () => env.clipboard.writeText(url))
  } catch (error) {
    log.error(`The dashboard did not start. ${(error as Error).message}`)
    offer('The dashboard did not start. The log says why.', 'Show Logs', () =>
      commands.executeCommand('copilotChatSecretary.showLogs'),
    )
  }
}
