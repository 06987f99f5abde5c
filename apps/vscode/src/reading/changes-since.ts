import { join } from 'node:path'
import { type GitRun, runGit, withoutFilters } from '@secretary-mcp/core/run-git.ts'
import { commands, l10n, type TextDocumentContentProvider, Uri, window } from 'vscode'

export const PAST_SCHEME = 'secretary-past'
const MAX_FILES = 200
const RUN: GitRun = { longestMs: 60_000, mostBytes: 64 << 20 }

/** Undefined where git failed. A folder may be anybody's: no program that it names is run. */
async function git(folder: string, ...args: string[]): Promise<string | undefined> {
  const harmless = await withoutFilters(folder, RUN)
  if (!harmless) return undefined
  const { text, isCut, isFailed } = await runGit(folder, [...harmless, ...args], RUN)
  return isCut || isFailed ? undefined : text
}

/** Everything that changed in a folder since a moment, as one comparison: from the last commit before it to the files as they are. */
export async function showChangesSince(
  folder: string,
  time: number,
  position: number,
): Promise<void> {
  const before = new Date(time).toISOString()
  const commit = (await git(folder, 'rev-list', '-1', `--before=${before}`, 'HEAD'))?.trim()
  if (!commit)
    return void window.showInformationMessage(
      commit === undefined
        ? l10n.t('Changes can be shown in a folder under Git.')
        : l10n.t('There is no commit from before this request.'),
    )
  const changed = ['diff', '--no-ext-diff', '--no-textconv', '--name-only', '--relative', '-z']
  const added = ['ls-files', '--others', '--exclude-standard', '-z']
  const names = [await git(folder, ...changed, commit), await git(folder, ...added)]
    .flatMap((text) => text?.split('\0') ?? [])
    .filter(Boolean)
  if (names.length === 0)
    return void window.showInformationMessage(l10n.t('Nothing has changed since this request.'))
  const resources = names.slice(0, MAX_FILES).map((name) => {
    const file = Uri.file(join(folder, name))
    return [file, pastUri(folder, commit, name), file]
  })
  const title = l10n.t('Changes since request {0}', position)
  await commands.executeCommand('vscode.changes', title, resources)
}

function pastUri(folder: string, commit: string, name: string): Uri {
  return Uri.from({
    scheme: PAST_SCHEME,
    path: join(folder, name),
    query: JSON.stringify({ folder, commit, name }),
  })
}

/** A file as a commit has it; one that was not there yet is empty. */
export const pastDocuments: TextDocumentContentProvider = {
  async provideTextDocumentContent({ query }) {
    const { folder, commit, name } = JSON.parse(query) as Record<string, string>
    return (await git(folder ?? '', 'show', '--no-textconv', `${commit}:./${name}`)) ?? ''
  },
}
