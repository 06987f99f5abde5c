const byFamily: Readonly<Record<string, string>> = {
  dialogs:
    'After a compaction or at the start, call the recall tool: it gives back what the person asked, word for word.',
  guide: 'Ask get_content for the rules of this house before writing code.',
  context:
    'Prefer context_search over guessing where something is; record_discovery keeps what you learned.',
  tasks: 'Keep what is left to do in tasks.',
}

/** Short on purpose: a client may put it into every prompt. */
export function instructions(families: readonly string[]): string {
  const lines = Object.entries(byFamily).filter(
    ([family]) => families.includes('all') || families.includes(family),
  )
  return [
    'Secretary is your working memory in this project.',
    ...lines.map(([, line]) => line),
  ].join(' ')
}
