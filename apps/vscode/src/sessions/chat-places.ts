import { basename, dirname, join } from 'node:path'
import type { ExtensionContext } from 'vscode'

/** Where VS Code keeps the chats that this window can see. */
export interface ChatPlaces {
  /** The `User` folder, with the chats of every folder that was ever open. */
  readonly user: string
  /** The chats of this window. */
  readonly window: string
}

/**
 * Found from the extension's own folders, since the user-data folder has no fixed place.
 * A profile has a global storage of its own, but the chats stay with the default one.
 */
export function chatPlaces({
  storageUri,
  globalStorageUri,
}: Pick<ExtensionContext, 'storageUri' | 'globalStorageUri'>): ChatPlaces {
  const own = dirname(dirname(globalStorageUri.fsPath))
  const profiles = dirname(own)
  const user = basename(profiles) === 'profiles' ? dirname(profiles) : own
  const window = storageUri
    ? join(dirname(storageUri.fsPath), 'chatSessions')
    : join(user, 'globalStorage', 'emptyWindowChatSessions')
  return { user, window }
}
