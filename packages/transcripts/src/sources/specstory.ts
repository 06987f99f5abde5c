import { lstat, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { askedIn } from '../authorship.ts'
import type { Mark, ReadResult } from '../dialog.ts'
import type { Places } from '../places.ts'
import { projectPath } from '../project-path.ts'
import { documentBytes } from '../reading/document.ts'
import { fileAt, filesIn } from '../reading/files.ts'
import { gatherTurns, type Said } from '../reading/gather-turns.ts'
import { bytesAt } from '../reading/lines.ts'
import { timeOf } from '../reading/loose-json.ts'
import { markedText } from '../redacted-preview.ts'
import type { Found, Source } from '../source.ts'

/** `_**User**_` begins a request, any other such heading somebody else's words. Subagents' have "sidechain" in theirs. */
const HEADING_START = '_**'
const HEADING_END = '**_'
const MAX_HEADING = 300
const RULE = '---'
const TITLE = /^# (.+)$/m

interface Part {
  readonly isUser: boolean
  readonly time?: number
  readonly text: string
  readonly at: number
  readonly size: number
}

/** `.specstory/history/*.md` in the project: dialogs of any agent as pages, which teams commit. */
export function specstory({ project }: Places): Source {
  const root = join(project ?? '', '.specstory', 'history')
  return {
    name: 'specstory',
    roots: [root],
    fits: () => false,
    list: async (context) => {
      if (project === undefined || !(await isOwnFolder(project, root))) return []
      const found = await filesIn(root, (name) => name.endsWith('.md'), context)
      const isPlain = await Promise.all(found.map(({ path }) => isPlainFile(path)))
      return found.filter((_file, index) => isPlain[index])
    },
    stat: async (_key, path) => ((await isPlainFile(path)) ? fileAt(path) : undefined),
    read: (found) => read(found, project),
    text: async (path, { at, size }) => {
      const bytes = await bytesAt(path, at, size)
      return bytes && wordsOf(bytes.toString('utf8'))
    },
    turns: (found, _reading, _context, wanted) => gatherTurns(said(found), wanted),
  }
}

/** A repository may bring links that lead out of the project, or to files that nobody may read. */
async function isPlainFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isFile(),
    () => false,
  )
}

async function isOwnFolder(project: string, folder: string): Promise<boolean> {
  try {
    const [root, real] = await Promise.all([realpath(project), realpath(folder)])
    return real === join(root, '.specstory', 'history')
  } catch {
    return false
  }
}

async function read(found: Found, project: string | undefined): Promise<ReadResult> {
  const page = await pageAt(found.path)
  const parts = partsOf(page)
  const marks = parts
    .filter(({ isUser, text }) => isUser && text !== '')
    .map(({ at, size, time, text }): Mark => ({ at, size, time, ...markedText(text) }))
  const times = parts.flatMap(({ time }) => time ?? [])
  return {
    sessionId: basename(found.path, '.md'),
    project: project && projectPath(project),
    title: TITLE.exec(page)?.[1],
    firstSeen: times[0] ?? dateIn(basename(found.path)),
    lastSeen: times.at(-1) ?? found.mtimeMs,
    status: parts.at(-1)?.isUser ? 'in_progress' : 'completed',
    marks,
    offset: 0,
  }
}

async function* said(found: Found): AsyncGenerator<Said> {
  let position = 0
  for (const { isUser, text, time } of partsOf(await pageAt(found.path))) {
    if (!isUser) yield { answer: text }
    else if (text !== '') yield { position: ++position, time: time ?? found.mtimeMs, request: text }
  }
}

function partsOf(page: string): Part[] {
  const parts: Part[] = []
  let open: { readonly heading: string; readonly start: number; readonly at: number } | undefined
  let at = 0
  const close = (end: number, endAt: number) => {
    if (!open) return
    const text = wordsOf(page.slice(open.start, end))
    parts.push({
      isUser: isPersons(open.heading) && askedIn(text) !== undefined,
      time: dateIn(open.heading),
      text,
      at: open.at,
      size: endAt - open.at,
    })
  }
  for (let start = 0; start < page.length; ) {
    const newline = page.indexOf('\n', start)
    const end = newline === -1 ? page.length : newline
    const isHeading = page.startsWith(HEADING_START, start) && end - start <= MAX_HEADING
    const heading = isHeading ? page.slice(start, end).trimEnd() : ''
    const size = Buffer.byteLength(page.slice(start, end))
    if (heading.endsWith(HEADING_END)) {
      close(start, at)
      open = { heading, start: end, at: at + size }
    }
    at += size + 1
    start = end + 1
  }
  close(page.length, Buffer.byteLength(page))
  return parts
}

function isPersons(heading: string): boolean {
  return /^_\*\*User\b/i.test(heading) && !/sidechain/i.test(heading)
}

/** Without the rule that ends a part. */
function wordsOf(raw: string): string {
  const text = raw.trim()
  const lastLine = text.lastIndexOf('\n') + 1
  return text.slice(lastLine).trim() === RULE ? text.slice(0, lastLine).trimEnd() : text
}

/** `2026-01-16 08:00:00Z` in a heading, `2026-01-16_08-00Z` in a name. */
function dateIn(text: string): number | undefined {
  const [, day, hour, minute, second = '00'] =
    /(\d{4}-\d\d-\d\d)[ _T](\d\d)[:-](\d\d)(?:[:-](\d\d))?/.exec(text) ?? []
  return day ? timeOf(`${day}T${hour}:${minute}:${second}Z`) : undefined
}

async function pageAt(path: string): Promise<string> {
  return (await documentBytes(path)).toString('utf8')
}
