import { linesOf, linesThat } from './changed-lines.ts'
import { commandKind } from './command-kind.ts'
import type { DeedFacts } from './deed.ts'
import { shortCommand } from './last-lines.ts'

const HEREDOC =
  /(?:^|[;&|\n]\s*)(?:cat|tee)\b([^\n]*?)<<-?\s*(['"]?)(\w+)\2([^\n]*)\n([\s\S]*?)\n\s*\3(?=\s|$)/g
const TARGET = /(>>?)\s*(['"]?)([^\s'"<>|;&]+)\2|(?:^|\s)(?:-a\s+)?([^\s'"<>|;&-][^\s'"<>|;&]*)\s*$/
const READERS =
  /(?:^|[;&|\n(]\s*)(?:cat|head|tail|less|bat|nl|wc|sed\s+-n)\b((?:\s+(?:-\S+|'[^']*'|"[^"]*"|[^\s<>|;&]+))+)/g
const REMOVED = /(?:^|[;&|\n]\s*)(?:git\s+)?rm\b((?:\s+[^\s<>|;&]+)+)/g
const COMMIT = /(?:^|[;&|\n(\s])git\b(?:\s+-[cC]\s+\S+)*\s+commit\b/
const SUBJECT =
  /-\w*m\s*(?:"\$\(cat <<-?\s*['"]?\w+['"]?\s*\n\s*([^\n]+)|"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+))/
const FILE = /^[^-$*?{}()=,:'"\\]*[^-$*?{}()=,:'"\\/]\.\w{1,12}$/
const MOST_FILES = 8

/** What a command does besides being run: files that it shows, writes out of itself, or removes. */
export function shellDeeds(command: string, facts: Pick<DeedFacts, 'call' | 'time'>): DeedFacts[] {
  const isFed = command.includes('<<')
  const written = isFed ? writtenFiles(command) : []
  const plain = isFed ? command.replace(HEREDOC, '\n') : command
  const kind = commandKind(command)
  return [
    { ...facts, kind: 'command', text: shortCommand(command), commandKind: kind },
    ...(COMMIT.test(plain)
      ? [{ ...facts, kind: 'commit' as const, text: subjectOf(command) }]
      : []),
    ...written.map((file) => ({ ...facts, ...file })),
    ...filesAfter(plain, READERS).map((path) => ({ ...facts, kind: 'read' as const, path })),
    ...filesAfter(plain, REMOVED).map((path) => ({ ...facts, kind: 'delete' as const, path })),
  ]
}

function subjectOf(command: string): string {
  const [, fed, double, single, bare] = SUBJECT.exec(command) ?? []
  return (fed ?? double ?? single ?? bare ?? '').split('\n')[0]?.slice(0, 120) ?? ''
}

function writtenFiles(command: string): DeedFacts[] {
  const files: DeedFacts[] = []
  for (const [, before = '', , , after = '', body = ''] of command.matchAll(HEREDOC)) {
    const target = TARGET.exec(before) ?? TARGET.exec(after)
    const path = target?.[3] ?? target?.[4]
    if (!path?.includes('.') || path.includes('$')) continue
    const kind = target?.[1] === '>>' ? 'change' : 'create'
    files.push({ kind, path, lines: linesThat(linesOf(body), []) })
  }
  return files
}

function filesAfter(command: string, pattern: RegExp): string[] {
  const words = [...command.matchAll(pattern)].flatMap(([, rest = '']) => rest.trim().split(/\s+/))
  const paths = words.map((word) => word.replace(/^(['"])(.*)\1$/, '$2'))
  return [...new Set(paths.filter((path) => FILE.test(path)))].slice(0, MOST_FILES)
}
