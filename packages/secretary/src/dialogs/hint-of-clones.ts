import { quoteLine } from '@secretary-mcp/core/quote.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Dialogs } from './dialogs.ts'

const MAX_CLONES = 3

/** Names the clones whose dialogs are not shown, and how the person shows them. Says nothing of what is in them. */
export async function hintOfClones(
  { deeds, store }: Pick<Dialogs, 'deeds' | 'store'>,
  { project }: Pick<Caller, 'project'>,
): Promise<string | undefined> {
  const clones = await deeds.otherClones(project)
  const hints: string[] = []
  for (const { folder, projects } of clones.slice(0, MAX_CLONES)) {
    const { total } = await store.list({ projects, asked: true, limit: 1, offset: 0 })
    const count = total === 1 ? '1 dialog' : `${total} dialogs`
    const name = quoteLine(folder)
    if (total > 0)
      hints.push(`${count} of ${name} (same origin): \`secretary same-project ${shellWord(name)}\``)
  }
  const more = clones.length > MAX_CLONES ? `, and ${clones.length - MAX_CLONES} more clones` : ''
  return hints.length === 0 ? undefined : `Not shown: ${hints.join(', ')}${more}`
}

function shellWord(text: string): string {
  return /^[\w./:@~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
