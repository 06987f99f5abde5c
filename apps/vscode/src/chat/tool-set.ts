import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { l10n, Uri, window } from 'vscode'
import type { ChatPlaces } from '../sessions/chat-places.ts'

/** Puts the extension's tools under one name, to be turned on and off together: VS Code reads such sets from the person's prompts. */
export async function addToolSet(
  { user }: Pick<ChatPlaces, 'user'>,
  tools: readonly string[],
): Promise<void> {
  const folder = join(user, 'prompts')
  const path = join(folder, 'secretary.toolsets.jsonc')
  const set = {
    secretary: {
      tools,
      description: l10n.t('What you asked, what was done, and why'),
      icon: 'history',
    },
  }
  await mkdir(folder, { recursive: true })
  await writeFile(path, `${JSON.stringify(set, null, 2)}\n`)
  await window.showTextDocument(Uri.file(path))
}
