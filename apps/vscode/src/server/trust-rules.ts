import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { commands, l10n, window, workspace } from 'vscode'
import { offer } from '../offer.ts'
import type { ServerProgram } from './server-program.ts'

const run = promisify(execFile)

interface ListedDocument {
  readonly path: string
  readonly layer: string
}

/** Shows which rules the open project brings along, and trusts them where the person says so. */
export async function trustRules(
  { command, script, env }: ServerProgram,
  surroundings: NodeJS.ProcessEnv,
): Promise<void> {
  if (!workspace.isTrusted) return askForWorkspace()
  const options = { env: { ...surroundings, ...env } }
  const secretary = async (...args: string[]) =>
    (await run(command, [script, 'guide', ...args], options)).stdout
  const listed = JSON.parse(await secretary('list', '--json')) as ListedDocument[]
  const untrusted = listed.filter(({ layer }) => layer === 'untrusted')
  if (untrusted.length === 0)
    return void window.showInformationMessage(
      l10n.t('This project has no rules that wait for your trust.'),
    )
  const chosen = await window.showWarningMessage(
    l10n.t('Let agents follow the rules in this project’s .guide folder?'),
    { modal: true, detail: untrusted.map(({ path }) => `.guide/${path}`).join('\n') },
    l10n.t('Trust These Rules'),
  )
  if (!chosen) return
  await secretary('trust')
  window.showInformationMessage(l10n.t('Agents now follow the rules of this project.'))
}

/** Whoever does not trust the folder has not read its rules either. */
function askForWorkspace(): void {
  offer(
    l10n.t('Trust this workspace first, then its rules.'),
    l10n.t('Manage Workspace Trust'),
    () => commands.executeCommand('workbench.trust.manage'),
  )
}
