import { isReadableCommand } from '@secretary-mcp/transcripts/deeds/runs/command-pattern.ts'
import { invocationsIn } from '@secretary-mcp/transcripts/deeds/shell/invocations.ts'
import { isPathPattern, parseWatchBlock, type WatchBlock } from '../guide/documents/watch-block.ts'

/** A rule that a file of the project states and that can be watched. */
export interface StatedRule {
  /** The line on which it stands, starting at 1. */
  readonly line: number
  /** The sentence that states it. */
  readonly text: string
  readonly watch: WatchBlock
}

const MAX_LINE = 1_000
const MAX_LINES = 5_000
const MAX_COMMANDS = 10
/** Lines between a sentence that announces commands and the last of them. */
const MAX_BELOW = 14

const FENCE = /^\s{0,8}(?:```|~~~)/
const HEADING = /^#{1,6}\s/
const BEFORE =
  /\b(?:before|prior to)\s(?:[\w*]{1,12}\s){0,3}?\**(commit|committing|commits|push|pushing)\b/i
const AFTER_CHANGES =
  /\bafter\s(?:every|each|any|all|making|you\smake)\s(?:[\w-]{1,16}\s){0,2}(?:change|changes|modification|modifications|edit|edits)\b|\bat the end of (?:a|any|each|every) task\b|\bbefore (?:completing|finishing) (?:a|any|each|every) task\b/i
const MUST = /\b(?:must|always|required|mandatory|ensure|make sure|need to|have to|run|execute)\b/i
const NEVER = /\b(?:never|do not|don['’]t|must not|should not|avoid)\b/i
const EDITING =
  /\b(?:edit|edited|edits|editing|modify|modified|modifying|touch|touching|hand-edit|change it by hand)\b/i
const RUNNING = /\b(?:run|use|execute|call|using|running)\b/i
const EXCEPT = /\b(?:unless|without (?:asking|permission|approval|explicit)|except when asked)\b/i
const CONDITION = /\b(?:if|when|whenever|in case|for example|e\.g\.)\b/i
const MAY = /\b(?:optional|optionally|can|may|consider|or)\b/i
/** What is started in a project, not looked at. */
const PROGRAMS =
  /^(?:npm|npx|pnpm|yarn|bun|bunx|deno|node|make|just|mise|task|cargo|go|gofmt|golangci-lint|pytest|python3?|tox|nox|ruff|black|mypy|uv|poetry|pip|pre-commit|gradle|gradlew|mvn|mvnw|dotnet|composer|php|phpunit|rspec|rake|rails|bundle|mix|swift|xcodebuild|flutter|dart|turbo|nx|biome|eslint|prettier|tsc|vitest|jest|docker|kubectl|terraform|helm|bazel|cmake|ctest|stack|cabal|sbt|zig|git)$/
const OF_GIT = /^git (?:push|commit|rebase|reset|stash|checkout|merge|add|clean)\b/

/** The rules that a Markdown file for agents states: what to run before a commit, what not to edit, what not to run. */
export function statedRules(markdown: string): StatedRule[] {
  const lines = markdown.split('\n').slice(0, MAX_LINES)
  const found: StatedRule[] = []
  let isCode = false
  let heading = ''
  for (const [at, raw] of lines.entries()) {
    const line = raw.slice(0, MAX_LINE)
    if (FENCE.test(line)) isCode = !isCode
    if (isCode || FENCE.test(line) || line.trim() === '') continue
    if (HEADING.test(line)) heading = line
    for (const text of sentencesOf(line)) {
      const watch = watchFrom(text, heading, () => commandsBelow(lines, at))
      if (watch) found.push({ line: at + 1, text: plain(text), watch })
    }
  }
  const seen = new Set<string>()
  return found.filter(({ watch }) => {
    const key = JSON.stringify(watch)
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

function watchFrom(text: string, heading: string, below: () => string[]): WatchBlock | undefined {
  const spans = codeIn(text)
  const bare = text.replace(/`[^`]{1,200}`/g, '·')
  const before = BEFORE.exec(bare)
  const isAfter = AFTER_CHANGES.test(bare)
  if (NEVER.test(bare) && !before && !isAfter) return forbidden(bare, spans)
  if (!before && !isAfter) return undefined
  const isHeading = HEADING.test(text)
  if (NEVER.test(bare) || (MAY.test(bare) && !isHeading) || CONDITION.test(bare)) return undefined
  if (!isHeading && !MUST.test(bare) && !MUST.test(heading)) return undefined
  const own = commandsOf(spans)
  const require =
    own.length > 0 ? own : isHeading || /[:：]\W{0,4}$/.test(text.trim()) ? below() : []
  if (require.length === 0) return undefined
  const on = before ? (/^push/i.test(before[1] ?? '') ? 'push' : 'commit') : 'stop'
  return blockOf({ on, require })
}

function forbidden(bare: string, spans: readonly string[]): WatchBlock | undefined {
  if (CONDITION.test(bare)) return undefined
  const unless = EXCEPT.test(bare) ? { unless: { asked: true } } : {}
  if (EDITING.test(bare)) {
    const paths = spans.flatMap((span) => pathFrom(span) ?? [])
    return paths.length > 0 ? blockOf({ on: 'edit', forbid: paths, ...unless }) : undefined
  }
  // `Use pnpm, never npm`: only what stands behind the word is forbidden.
  const [, behind = ''] = bare.split(NEVER)
  if (!RUNNING.test(behind)) return undefined
  const first = (bare.slice(0, bare.length - behind.length).match(/·/g) ?? []).length
  const count = (behind.split(/\b(?:instead|rather|but|use only)\b|[;.]/i)[0]?.match(/·/g) ?? [])
    .length
  const commands = spans
    .slice(first, first + count)
    .filter((span) => isCommand(span) && (span.includes(' ') || PROGRAMS.test(span)))
  return commands.length > 0 ? blockOf({ on: 'command', forbid: commands, ...unless }) : undefined
}

function blockOf(given: object): WatchBlock | undefined {
  const parsed = parseWatchBlock(given)
  return 'block' in parsed ? parsed.block : undefined
}

/** A sentence ends at a full stop before a blank; a heading or an item of a list is one by itself. */
function sentencesOf(line: string): string[] {
  return HEADING.test(line)
    ? [line]
    : line
        .split(/(?<=[.!;])\s(?=[A-Z`*])/)
        .map((one) => one.trim())
        .filter((one) => one !== '')
}

function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]{1,200})`/g)].map(([, code = '']) => code.trim())
}

/** Of the next block of code, or of the items of the next list. */
function commandsBelow(lines: readonly string[], at: number): string[] {
  const commands: string[] = []
  let isCode = false
  let isBegun = false
  for (const raw of lines.slice(at + 1, at + 1 + MAX_BELOW)) {
    const line = raw.slice(0, MAX_LINE)
    if (FENCE.test(line)) {
      if (isCode) break
      isCode = true
      isBegun = true
    } else if (isCode) commands.push(...commandsOf([line.replace(/\s#.*$/, '')]))
    else if (/^\s{0,8}(?:[-*+]|\d{1,2}[.)])\s/.test(line)) {
      isBegun = true
      if (!MAY.test(line.replace(/`[^`]{1,200}`/g, '·')))
        commands.push(...commandsOf(codeIn(line).slice(0, 1)))
    } else if (line.trim() !== '' && (isBegun || HEADING.test(line))) break
  }
  return [...new Set(commands)].slice(0, MAX_COMMANDS)
}

function commandsOf(spans: readonly string[]): string[] {
  return spans
    .filter((span) => !/^\s*#/.test(span))
    .flatMap((span) => invocationsIn(span.slice(0, 400)))
    .filter(({ program }) => program !== 'git')
    .map(({ text }) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => isCommand(text) && text.includes(' '))
}

function isCommand(text: string): boolean {
  const [program = ''] = text.split(/\s/)
  if (!isReadableCommand(text) || !PROGRAMS.test(program.replace(/^\.\//, ''))) return false
  return program !== 'git' || OF_GIT.test(text)
}

/** A file or a folder of the project, as a pattern. */
function pathFrom(span: string): string | undefined {
  if (/\s|^[/~$@-]|^\w+:|[()<>{}=,;]/.test(span) || !/^[\w.*/&+-]{2,120}$/.test(span))
    return undefined
  const isFolder = span.endsWith('/')
  const isFile = /(?:^|\/)[\w.*-]+\.[A-Za-z]\w{0,7}$/.test(span)
  if (!isFolder && !isFile && !span.includes('/')) return undefined
  const path = isFolder ? `${span}**` : span
  return isPathPattern(path) ? path : `**/${path}`
}

function plain(text: string): string {
  return text
    .replace(/^[#>\s]*(?:[-*+]\s|\d{1,2}[.)]\s)?/, '')
    .replace(/\*\*/g, '')
    .trim()
}
