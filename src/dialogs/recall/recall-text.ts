import type { Recall, RecalledRequest } from './compose-recall.ts'

const TITLES = {
  standing: 'Standing instructions',
  state: 'Where the work stands',
  openTasks: 'Open tasks',
  rules: 'Rules in force',
  decisions: 'Recent decisions',
  files: 'Files in use',
  fromOthers: 'What others asked about these files',
} as const
const SECTIONS = Object.keys(TITLES) as (keyof typeof TITLES)[]

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
  if (firstRequest) parts.push(`## First request\n${requestText(firstRequest)}`)
  if (latestRequests.length > 0)
    parts.push(
      `## Latest requests\n${latestRequests.map((request) => `${request.index}. ${requestText(request)}`).join('\n\n')}`,
    )
  for (const section of SECTIONS) {
    const lines = recall[section] ?? []
    if (lines.length > 0)
      parts.push(`## ${TITLES[section]}\n${lines.map((line) => `- ${line}`).join('\n')}`)
  }
  if (leftOut.length > 0)
    parts.push(`## Left out\n${leftOut.map((line) => `- ${line}`).join('\n')}`)
  return parts.join('\n\n')
}

function requestText({ request, answers, done }: RecalledRequest): string {
  return [request, answers && `(answers: ${answers})`, done && `→ ${done}`]
    .filter(Boolean)
    .join('\n')
}
