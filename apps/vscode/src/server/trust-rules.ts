import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { commands, l10n, window, workspace } from 'vscode'
import { offer } from '../offer.ts'
import type { ServerProgram } from './server-program.ts'

const run = promisify(execFile)

interface Review {
  readonly documents: readonly { readonly path: string; readonly state: 'new' | 'changed' }[]
  readonly version: string
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
  const { documents, version } = JSON.parse(await secretary('trust', '--json')) as Review
  if (documents.length === 0)
    return void window.showInformationMessage(
      l10n.t('This project has no rules that wait for your trust.'),
    )
  const words = { new: l10n.t('new'), changed: l10n.t('changed since you trusted it') }
  const chosen = await window.showWarningMessage(
    l10n.t('Let agents follow the rules in this project’s .guide folder?'),
    {
      modal: true,
      detail: documents.map(({ path, state }) => `.guide/${path} (${words[state]})`).join('\n'),
    },
    l10n.t('Trust These Rules'),
  )
  if (!chosen) return
  // Only what the person saw: a document that changed meanwhile is asked for again.
  await secretary('trust', '--yes', '--seen', version)
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
