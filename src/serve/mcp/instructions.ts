import type { Config } from '../../core/config/config.ts'
import { noProjectReason } from '../../core/config/no-project.ts'

const byFamily: Readonly<Record<string, string>> = {
  dialogs:
    'After a compaction or at the start, call the recall tool: it gives back what the person asked, word for word.',
  guide: 'Ask get_content for the rules of this house before writing code.',
  context:
    'Prefer context_search over guessing where something is; record_discovery keeps what you learned.',
  tasks: 'Keep what is left to do in tasks.',
}

/** Short on purpose: a client may put it into every prompt. */
export function instructions(config: Config): string {
  const { families } = config
  const noContext = noProjectReason(config) !== undefined
  const lines = Object.entries(byFamily)
    .filter(([family]) => families.includes('all') || families.includes(family))
    .filter(([family]) => !(noContext && family === 'context'))
  return [
    'Secretary is your working memory in this project.',
    ...lines.map(([, line]) => line),
  ].join(' ')
}
