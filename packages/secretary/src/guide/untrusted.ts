import type { Problem } from './documents/document.ts'
import { quoted } from './names.ts'
import type { Project } from './project/project.ts'

const MOST_NAMED = 5

/** Names what a project brought along and nobody has trusted yet; never says what is in it. */
export function untrustedProblem({ shelf: { untrusted } }: Pick<Project, 'shelf'>): Problem[] {
  if (untrusted.length === 0) return []
  const named = untrusted.slice(0, MOST_NAMED).map((path) => quoted(path))
  const more = untrusted.length > MOST_NAMED ? ` and ${untrusted.length - MOST_NAMED} more` : ''
  return [
    {
      document: '.guide',
      error_type: 'untrusted',
      error: `documents of the project's .guide are new or changed, not trusted, and were left out: ${named.join(', ')}${more}. After reading them, the person trusts them with \`secretary guide trust\``,
    },
  ]
}
