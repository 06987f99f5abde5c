import { GROUPS, type Group, type Recall } from './compose-recall.ts'

const TITLES: Readonly<Record<Group, string>> = {
  openTasks: 'Open tasks',
  rules: 'Rules in force',
  decisions: 'Recent decisions',
  files: 'Files at hand',
}

/** A recall for a prompt or a terminal. */
export function recallText(recall: Recall): string {
  const {
    sessionId,
    source,
    title,
    note,
    totalRequests,
    firstRequest,
    latestRequests = [],
    leftOut,
  } = recall
  const parts = [
    sessionId
      ? `# What the person asked${note ? ' in an earlier dialog' : ''} (${source}${title ? `, ${title}` : ''}, session ${sessionId}, ${totalRequests} requests)`
      : '# What is known of this project',
  ]
  if (note) parts.push(note)
  if (firstRequest) parts.push(`## First request\n${firstRequest.request}`)
  if (latestRequests.length > 0)
    parts.push(
      `## Latest requests\n${latestRequests.map(({ index, request }) => `${index}. ${request}`).join('\n\n')}`,
    )
  for (const group of GROUPS) {
    const lines = recall[group] ?? []
    if (lines.length > 0)
      parts.push(`## ${TITLES[group]}\n${lines.map((line) => `- ${line}`).join('\n')}`)
  }
  if (leftOut.length > 0)
    parts.push(`## Left out\n${leftOut.map((line) => `- ${line}`).join('\n')}`)
  return parts.join('\n\n')
}
