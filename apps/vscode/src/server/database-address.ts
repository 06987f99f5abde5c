import { l10n, type SecretStorage, window } from 'vscode'
import { DATABASE_SECRET } from './server-program.ts'

/** Asks for the address of a team's database and keeps it where VS Code keeps secrets. False where the person gave none. */
export async function setDatabaseAddress(secrets: SecretStorage): Promise<boolean> {
  const address = await window.showInputBox({
    title: l10n.t('Database Address'),
    prompt: l10n.t('PostgreSQL database of your team. Leave it empty to use the embedded one.'),
    placeHolder: 'postgres://user:password@host/database',
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || /^postgres(ql)?:\/\//.test(text.trim())
        ? undefined
        : l10n.t('The address must begin with postgres://'),
  })
  if (address === undefined) return false
  if (address.trim() === '') await secrets.delete(DATABASE_SECRET)
  else await secrets.store(DATABASE_SECRET, address.trim())
  window.showInformationMessage(
    address.trim() === ''
      ? l10n.t('Secretary uses the embedded database again.')
      : l10n.t('The database address is stored. Secretary uses it from its next start.'),
  )
  return true
}
