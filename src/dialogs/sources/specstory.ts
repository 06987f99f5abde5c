import { basename, join } from 'node:path'
import type { Mark, ReadResult } from '../dialog.ts'
import type { Places } from '../places.ts'
import { previewOf } from '../preview.ts'
import { projectPath } from '../project-path.ts'
import { documentBytes } from '../reading/document.ts'
import { fileAt, filesIn } from '../reading/files.ts'
import { gatherTurns, type Said } from '../reading/gather-turns.ts'
import { bytesAt } from '../reading/lines.ts'
import { timeOf } from '../reading/loose-json.ts'
import type { Found, Source } from '../source.ts'

/** `_**User**_` begins a request, any other such heading the words of an agent; a rule ends both. */
const HEADING = /^_\*\*(?<who>[^*\n(]+?)\s*(?:\((?<when>[^)\n]*)\))?\*\*_[ \t]*$/gm
const RULE = /\n\s*---\s*$/
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
    list: async (context) =>
      project === undefined ? [] : filesIn(root, (name) => name.endsWith('.md'), context),
    stat: (_key, path) => fileAt(path),
    read: (found) => read(found, project),
    text: async (path, { at, size }) => {
      const bytes = await bytesAt(path, at, size)
      return bytes && wordsOf(bytes.toString('utf8'))
    },
    turns: (found, _reading, _context, wanted) => gatherTurns(said(found), wanted),
  }
}

async function read(found: Found, project: string | undefined): Promise<ReadResult> {
  const page = await pageAt(found.path)
  const parts = partsOf(page)
  const marks = parts
    .filter(({ isUser, text }) => isUser && text !== '')
    .map(({ at, size, time, text }): Mark => ({ at, size, time, preview: previewOf(text) }))
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
  const headings = [...page.matchAll(HEADING)]
  return headings.map(({ index, 0: heading, groups }, place) => {
    const start = index + heading.length
    const raw = page.slice(start, headings[place + 1]?.index)
    return {
      isUser: /^user$/i.test(groups?.who ?? ''),
      time: dateIn(groups?.when ?? ''),
      text: wordsOf(raw),
      at: Buffer.byteLength(page.slice(0, start)),
      size: Buffer.byteLength(raw),
    }
  })
}

function wordsOf(raw: string): string {
  return raw.trimEnd().replace(RULE, '').trim()
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
