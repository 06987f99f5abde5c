import { fstatSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { type OpenFile, withProjectFile } from '@secretary-mcp/core/files/open-file.ts'
import { pathFailure } from '@secretary-mcp/core/files/path-failure.ts'
import {
  hidePrivateKeys,
  isPrivateKeyFile,
  keysInFile,
} from '@secretary-mcp/core/files/private-keys.ts'
import { moduleOf } from '@secretary-mcp/search/ranking/file-role.ts'
import { languageOf } from '@secretary-mcp/search/syntax/languages.ts'

const MAX_FILE_SIZE = 1024 * 1024
const SNIFFED_BYTES = 8192

const CONFIG_NAMES =
  /^(package\.json|tsconfig.*\.json|pyproject\.toml|setup\.(py|cfg)|cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|gemfile|composer\.json|dockerfile|makefile|cmakelists\.txt|\..+|.+\.config\.[cm]?[jt]s|.+\.csproj|.+\.(ini|cfg|conf|properties))$/
const ENTRY_NAMES =
  /^(index|main|app|server|cli|__main__|__init__|mod|lib|program|application)\.[a-z]+$/
/** What a file is for, by its name alone; the first that fits. */
const RULES: readonly (readonly [Role, (path: string, name: string) => boolean])[] = [
  [
    'test',
    (path, name) => /(^|\/)(tests?|spec|__tests__|e2e|fixtures)\//.test(path) || isTestName(name),
  ],
  ['docs', (path, name) => /\.(md|mdx|rst|adoc|txt)$/.test(name) || /(^|\/)docs?\//.test(path)],
  ['types', (_, name) => /\.d\.[cm]?ts$|^types?\.[cm]?tsx?$|\.types?\.ts$/.test(name)],
  ['config', (_, name) => CONFIG_NAMES.test(name)],
  ['style', (_, name) => /\.(css|scss|sass|less)$/.test(name)],
  ['data', (_, name) => /\.(json|jsonc|ya?ml|toml|csv|tsv|xml|sql)$/.test(name)],
  [
    'script',
    (path, name) => /(^|\/)(scripts?|bin|tools)\//.test(path) || /\.(sh|bash|ps1|bat)$/.test(name),
  ],
  ['entry', (_, name) => ENTRY_NAMES.test(name)],
]

/** Where the grammar that serves a file is not what people call its language. */
const PEOPLE_SAY: Readonly<Record<string, string>> = {
  '.tsx': 'typescript',
  '.jsx': 'javascript',
  '.c': 'c',
  '.cs': 'csharp',
  '.sh': 'shell',
  '.bash': 'shell',
}

export interface ReadFile {
  readonly file: {
    readonly path: string
    readonly content: string
    /** In bytes, of the whole file. */
    readonly size: number
    /** Of the whole file. */
    readonly lines?: number
    readonly language: string
    readonly encoding?: string
    readonly startLine?: number
    readonly endLine?: number
  }
  readonly metadata: {
    readonly module: string
    readonly role: string
    readonly lastModified: string
  }
  readonly modifiedMs: number
}

/** One file of the project, whole or in part. */
export function readProjectFile(
  root: string,
  path: string,
  range: LineRange = {},
  signal?: AbortSignal,
): Promise<ReadFile> {
  return withProjectFile(root, path, async (open) => {
    const isPart = range.startLine !== undefined || range.endLine !== undefined
    const { text, encoding, ...rest } = isPart ? await readPart(open, range, signal) : whole(open)
    return {
      file: {
        path: open.path,
        content: text,
        size: open.stats.size,
        language: languageName(open.path),
        ...rest,
        ...(encoding ? { encoding } : {}),
      },
      metadata: {
        module: moduleOf(open.path),
        role: roleOf(open.path),
        lastModified: open.stats.mtime.toISOString(),
      },
      modifiedMs: open.stats.mtimeMs,
    }
  })
}

function whole(open: Parameters<typeof readText>[0]) {
  const { text, encoding, size } = readText(open)
  return { text, encoding, size, lines: countLines(text) }
}

function languageName(path: string): string {
  const extension = /\.[^./]+$/.exec(path)?.[0]?.toLowerCase() ?? ''
  const language = PEOPLE_SAY[extension] ?? languageOf(path)?.name ?? 'text'
  return language === 'c++' ? 'cpp' : language
}

type Role = 'test' | 'entry' | 'config' | 'docs' | 'types' | 'style' | 'data' | 'script' | 'core'

function roleOf(path: string): Role {
  const small = path.toLowerCase()
  const name = small.slice(small.lastIndexOf('/') + 1)
  return RULES.find(([, fits]) => fits(small, name))?.[0] ?? 'core'
}

function isTestName(name: string): boolean {
  return /[._-](test|spec|tests)\.[a-z]+$|^test_.+\.py$|tests?\.(java|cs|kt|swift|php)$/.test(name)
}

export interface LineRange {
  readonly startLine?: number
  readonly endLine?: number
}

interface FilePart {
  readonly text: string
  readonly encoding?: string
  readonly startLine: number
  readonly endLine: number
  /** Of the whole file; absent where it was too long to be counted. */
  readonly lines?: number
}

const BLOCK = 256 * 1024
/** Beyond this the lines are not counted to the end. */
const FARTHEST = 64 * 1024 * 1024

/** Some lines of a file of any size: only these are kept in memory. */
async function readPart(
  { fd, path, stats }: OpenFile,
  range: LineRange,
  signal?: AbortSignal,
): Promise<FilePart> {
  const { startLine = 1, endLine = Number.MAX_SAFE_INTEGER } = range
  const keys = keysInFile({ stats, bytes: (at, size) => readBytes(fd, at, size) })
  if (keys.isKey) throw pathFailure('Permission denied', path)
  const kept: Buffer[] = []
  let keptBytes = 0
  let line = 1
  let position = 0
  let lastByte = 10
  const block = Buffer.allocUnsafe(BLOCK)
  while (position < FARTHEST) {
    signal?.throwIfAborted()
    const bytesRead = readSync(fd, block, 0, BLOCK, position)
    if (bytesRead === 0) return finish(line - (lastByte === 10 ? 1 : 0))
    let from = 0
    while (from < bytesRead) {
      const newline = block.indexOf(10, from)
      const to = newline >= 0 && newline < bytesRead ? newline + 1 : bytesRead
      if (line >= startLine && line <= endLine) {
        kept.push(Buffer.from(block.subarray(from, to)))
        keptBytes += to - from
        if (keptBytes > MAX_FILE_SIZE) throw tooLarge(path)
      }
      if (newline >= 0 && newline < bytesRead) line++
      from = to
    }
    lastByte = block[bytesRead - 1] ?? 10
    position += bytesRead
    // A long file lets others have their turn.
    await setImmediate()
  }
  if (line <= endLine) throw tooLarge(path)
  return finish(undefined)

  function finish(lines: number | undefined): FilePart {
    if (lines !== undefined && startLine > Math.max(lines, 1))
      throw pathFailure(
        'Line out of range',
        path,
        `The file has ${lines} ${lines === 1 ? 'line' : 'lines'}`,
      )
    const decoded = decodeText(Buffer.concat(kept))
    if (!decoded) throw pathFailure('Not a text file', path)
    const text = withoutKeys(decoded.text, startLine, keys.lines)
    return { ...decoded, text, startLine, endLine: Math.min(endLine, lines ?? endLine), lines }
  }
}

function withoutKeys(text: string, startLine: number, hidden: ReadonlyMap<number, string>): string {
  if (hidden.size === 0) return text
  return text
    .split('\n')
    .map((line, index) => hidden.get(startLine + index) ?? line)
    .join('\n')
}

function readBytes(fd: number, at: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size)
  return buffer.subarray(0, readSync(fd, buffer, 0, size, at))
}

interface TextFile extends DecodedText {
  readonly size: number
  readonly modifiedMs: number
}

/** The whole text, as one state of the file: a file that grows or shrinks under the reading is read once more. */
function readText({ fd, stats, path }: OpenFile): TextFile {
  if (stats.size > MAX_FILE_SIZE) throw tooLarge(path)
  let bytes = readAll(fd, stats.size)
  let after = fstatSync(fd)
  if (after.mtimeMs !== stats.mtimeMs || after.size !== bytes.length) {
    bytes = readAll(fd, after.size)
    after = fstatSync(fd)
  }
  if (bytes.length > MAX_FILE_SIZE) throw tooLarge(path)
  const decoded = decodeText(bytes)
  if (!decoded) throw pathFailure('Not a text file', path)
  if (isPrivateKeyFile(decoded.text)) throw pathFailure('Permission denied', path)
  const text = hidePrivateKeys(decoded.text)
  return { ...decoded, text, size: bytes.length, modifiedMs: after.mtimeMs }
}

/** One byte more than allowed at most, so that a growing file is noticed and never swallowed. */
function readAll(fd: number, expected: number): Uint8Array {
  let buffer = Buffer.allocUnsafe(Math.min(expected, MAX_FILE_SIZE) + 1)
  let filled = 0
  for (;;) {
    filled += readSync(fd, buffer, filled, buffer.length - filled, filled)
    // Less than was asked for is the end of a regular file.
    if (filled < buffer.length || filled > MAX_FILE_SIZE) return buffer.subarray(0, filled)
    buffer = Buffer.concat([buffer], Math.min(buffer.length * 2, MAX_FILE_SIZE + 1))
  }
}

function tooLarge(path: string): Error {
  return pathFailure(
    'File too large',
    path,
    'At most 1 MB at once; read a part with startLine and endLine',
  )
}

function countLines(text: string): number {
  if (text === '') return 0
  let lines = 1
  for (
    let at = text.indexOf('\n');
    at >= 0 && at < text.length - 1;
    at = text.indexOf('\n', at + 1)
  )
    lines++
  return lines
}

interface DecodedText {
  readonly text: string
  /** Absent for UTF-8. */
  readonly encoding?: 'utf-16le' | 'utf-16be' | 'windows-1252'
}

/** Undefined where the bytes are no text. */
function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const utf16 = utf16Of(bytes)
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), encoding: utf16 }
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return undefined
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' }
  }
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}
