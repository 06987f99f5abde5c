import { quoteBlock, quoteLine } from '@secretary-mcp/core/quote.ts'
import type { FileAccess, Session } from '../access/access-store.ts'
import { sessionStatus } from '../access/session-status.ts'
import type { CheckedDiscovery } from '../discoveries/discoveries.ts'
import type { ProjectModule, ProjectScan } from './scan-project.ts'

const MOST_FILES = 100

export function overviewMarkdown(
  scan: ProjectScan,
  discoveries: readonly CheckedDiscovery[],
  files: readonly FileAccess[],
): string {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Type', scan.type],
    ['Architecture', scan.architecture],
    ['Languages', scan.languages.join(', ')],
    ['Stack', scan.stack.join(', ')],
    ['Package manager', scan.packageManager],
  ]
  return document(
    `# ${quoteLine(scan.name)}`,
    scan.description && quoteBlock(scan.description),
    facts
      .flatMap(([label, value]) => (value ? [`- ${label}: ${quoteLine(value)}`] : []))
      .join('\n'),
    section('Modules', scan.modules.map(moduleLine)),
    section('Discoveries', discoveries.map(discoveryLine)),
    section(
      'Files at hand',
      files.map(
        ({ path, count, score }) =>
          `- ${quoteLine(path)} (read ${count}×, score ${score.toFixed(2)})`,
      ),
    ),
  )
}

export function moduleMarkdown(
  name: string,
  module: ProjectModule | undefined,
  discoveries: readonly CheckedDiscovery[],
): string {
  const files = module?.files ?? []
  const more = files.length - MOST_FILES
  const lines = files.slice(0, MOST_FILES).map((path) => `- ${quoteLine(path)}`)
  return document(
    `# Module ${quoteLine(name)}`,
    module && `Folder: ${quoteLine(module.folder)}`,
    section('Discoveries', discoveries.map(discoveryLine)),
    section('Files', more > 0 ? [...lines, `- … and ${more} more`] : lines),
  )
}

export function sessionMarkdown(session: Session, nowMs: number): string {
  return document(
    `# Session ${quoteLine(session.id)}`,
    [
      `- Status: ${sessionStatus(session, nowMs)}`,
      `- Started: ${session.startedAt}`,
      `- Last active: ${session.lastActiveAt}`,
      `- Tool calls: ${session.calls}`,
      ...(session.client ? [`- Client: ${quoteLine(session.client)}`] : []),
    ].join('\n'),
    section(
      'Files',
      session.files.map(
        ({ path, count, last }) => `- ${quoteLine(path)} (${count}×, last ${last})`,
      ),
    ),
    section(
      'Topics',
      session.topics.map((topic) => `- ${quoteLine(topic)}`),
    ),
  )
}

export function sessionsMarkdown(sessions: readonly Session[], nowMs: number): string {
  const lines = sessions.map((session) => {
    const { id, lastActiveAt, calls, files, topics } = session
    const about = topics.length > 0 ? `: ${quoteLine(topics.slice(-3).join('; '))}` : ''
    return `- ${lastActiveAt} ${sessionStatus(session, nowMs)} ${quoteLine(id)}, ${calls} calls, ${files.length} files${about}`
  })
  return document('# Recent sessions', lines.length > 0 ? lines.join('\n') : 'None yet.')
}

function discoveryLine(discovery: CheckedDiscovery): string {
  const { type, content, module, date, changedFiles, newer, space, by } = discovery
  const followed = newer ? ` **superseded** by ${newer}` : ''
  const recheck =
    changedFiles.length > 0
      ? ` **needs_recheck**: changed since: ${quoteLine(changedFiles.join(', '))}`
      : ''
  // Of a colleague's, the author and the space come first, so that it is never read as the person's own.
  const author = space ? `${quoteLine(by ?? 'somebody')} in the space ${quoteLine(space)}: ` : ''
  return `- [${type}]${module ? ` (${quoteLine(module)})` : ''} ${author}${quoteLine(content)} (${date.slice(0, 10)})${followed}${recheck}`
}

function moduleLine({ name, folder, files }: ProjectModule): string {
  return `- ${quoteLine(name)}: ${quoteLine(folder)} (${files.length} files)`
}

function section(title: string, lines: readonly string[]): string | undefined {
  return lines.length > 0 ? `## ${title}\n${lines.join('\n')}` : undefined
}

function document(...parts: (string | undefined)[]): string {
  return `${parts.filter(Boolean).join('\n\n')}\n`
}
