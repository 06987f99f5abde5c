import { shownLine } from './preview.ts'

/**
 * Who wrote a passage of a message that stands under the person's name: the person typed it, the person pasted it (logs, diffs, reviews,
 * documents), or a program put it there (an approved plan, hook output, notifications). Everything that is derived from requests uses
 * typed text alone; the classifier leans towards "pasted", because a wrong claim about the person's words is worse than a missing one.
 */
export type Author = 'typed' | 'pasted' | 'program'

export interface Passage {
  readonly author: Author
  readonly text: string
}

/** Longer messages are not typed by hand; what follows this many characters is pasted. */
const MAX_CHARACTERS = 400_000
/** Enough of a line to recognise its shape; keeps every pattern below linear in practice. */
const MAX_SHAPE = 240
const MAX_TITLE = 120

/** Messages that programs write under the person's name, by how they begin. */
const PROGRAM_MESSAGE =
  /^\s*(?:This session is being continued from a previous|Caveat: The messages below|Stop hook feedback:|\[Request interrupted|\[Request cancelled|Base directory for this skill:|\{"task_id":|<(?:local-command-|task-notification|agent-notification|ci-monitor-event|teammate-message|bash-std|user-prompt-submit-hook|post-tool-use-hook|environment_context|environment_details|user_instructions|turn_aborted|permissions instructions|INSTRUCTIONS|subagent_notification|command-stdout|tool_result|function_results))/

/** Blocks that programs put into a message. */
const PROGRAM_TAGS = new Set(
  (
    'system-reminder system_reminder task-notification agent-notification teammate-message ci-monitor-event local-command-stdout ' +
    'local-command-stderr local-command-caveat bash-input bash-stdout bash-stderr command-name command-message command-args ide_opened_file ' +
    'ide_selection ide_diagnostics user-prompt-submit-hook post-tool-use-hook environment_context environment_details user_instructions ' +
    'permissions attached_files attachments additional_data open_and_recently_viewed_files user_info project_layout git_status rules ' +
    'tool_result function_results file_content terminal_output subagent_notification turn_aborted'
  ).split(' '),
)
const OPEN_TAG = /^<([A-Za-z][\w-]*)(?:\s[^<>]{0,400})?>/

/** Commands to the agent's own program: they ask the agent for nothing. */
const PROGRAM_COMMANDS = new Set(
  (
    'add-dir agents allowed-tools app background bashes bug cd chrome clear color compact config context continue copy cost desktop doctor ' +
    'effort exit export extra-usage fast feedback fork help hooks ide install-github-app install-slack-app keybindings login logout mcp ' +
    'memory mobile model new output-style passes permissions plan plugin plugins privacy-settings quit release-notes reload-plugins ' +
    'remote-control remote-env rename reset resume rewind sandbox session settings skills stats status statusline stickers tag tasks ' +
    'teleport terminal-setup theme todos undo upgrade usage vim voice'
  ).split(' '),
)

/** The same in other agents, which write them down as they were typed. */
const TYPED_COMMANDS = new Set([
  ...PROGRAM_COMMANDS,
  ...(
    'about approvals auth chat checkpoint compress connect details directory editor extensions history models redo restore sessions ' +
    'settings share summarize themes thinking tools unshare'
  ).split(' '),
])
/** These may be followed by what the agent is asked for. */
const TAKES_REQUEST = new Set([
  'plan',
  'new',
  'background',
  'fork',
  'fast',
  'effort',
  'chat',
  'bug',
])
const PLAN_OPENING = /^\s*Implement the following plan:\s*\n/
const HEADING = /^\s{0,3}#{1,6}\s+\S/
const FENCE = /^\s{0,3}(?:`{3,}|~{3,})/

/** Lines that a machine wrote, by their shape. */
const MACHINE_LINES: readonly RegExp[] = [
  // Stack traces.
  /^\s{0,20}at\s\S.{0,200}[:(]\S{0,200}\d/,
  /^\s*at (?:async |new )?[\w$.<>[\]]+(?: \(|$)/,
  /^\s*File "[^"]+", line \d/,
  /^(?:Traceback \(most recent|goroutine \d+ \[|panic: |thread '[^']*' panicked|Caused by: |Exception in thread)/,
  // Diffs.
  /^(?:diff --git |index [0-9a-f]{7}|@@ -\d|\+\+\+ [ab]?\/|--- [ab]?\/|new file mode |deleted file mode )/,
  // Logs.
  /^\[?\(?\d{4}[-/]\d\d[-/]\d\d[T ,]\s?\d\d:\d\d/,
  /^\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|NOTICE|CRITICAL)\]?[ :|\t]/,
  /^[A-Z][a-z]{2}\s{1,2}\d{1,2} \d\d:\d\d:\d\d\s/,
  /^[\w.-]{1,60}\s{1,20}\|\s/,
  /^\s{0,20}\[(?!P\d\])[\w.-]{0,200}[.:/\d][\w./:-]{0,200}\]\s{1,20}\S/,
  /^\w[\w.]*(?:Error|Exception)\b(?:: |$)/,
  /^(?:Uncaught |Unhandled|fatal: |ERROR |FAILED |error\[E\d|error TS\d|npm (?:ERR!|error|warn)|remote: )/,
  /^\s*(?:\d+\s*)?\|(?:\s|$)|^\s+[|>]\s+\d+ \||^\s*-->\s\S+:\d/,
  /^(?:PHP (?:Fatal|Warning|Notice|Parse)|Stack trace:\s*$|Require stack:\s*$|#\d+ \S|node:internal\/|Node\.js v\d|--- End of stack trace)|^\s+(?:thrown in |throw \w+;|\.\.\. \d+ more)/,
  // Test runners.
  /^\s*(?:--- (?:FAIL|PASS|SKIP)|=== RUN|=== FAIL|(?:FAIL|PASS)(?:\s+\S*[./:]\S*|\s*$)|ok\s+\S+\s+(?:\d|\(cached)|Tests?:\s+\d|Test Suites:|test result: )/,
  /^\s*(?:Failure\/Error:|# \.?\/\S|\d+ examples?, \d+ failures?|Failures:\s*$)/,
  /^\s*(?:✓|✔|✗|✖|✘|×|●|⨯|✕)\s/,
  // Terminals and answers copied from them.
  /^\s*(?:❯|➜|PS [A-Z]:\\)\s+\S/,
  /^[\w.-]+@[\w.-]+[:\s][^\s]*\s?[$#%]\s/,
  /^\s*(?:⏺|⎿|│|╭|╰|├|└|┌|┐|┃|━|═|║|╔|╚|─{2,}|▌|█|•\s{2,})/,
  /^\s*>\s/,
  /^\|.*\|\s*$/,
  // Review bots.
  /^\s*(?:Additional Locations|Fix in (?:Cursor|Web)|Bugbot|<!-- )/,
  // Code and data.
  /^\s{0,20}[{}[\])]{1,200}[,;)]{0,200}\s{0,20}$/,
  /^\s*"[^"]{1,80}"\s*:\s/,
  /^\s*(?:import\s.+from\s+['"]|from\s\S+\simport\s|(?:export |public |private |static |async )*(?:const|let|var)\s+[\w$([{][^;]{0,200}=|(?:export |public |private |static |async )*(?:function|class|interface|struct|enum|impl|fn|func|def)\s+[\w$(*].*[{(=:;]\s*$)/,
  /^\s{0,20}[\w$.[\]]{1,200}\(.{0,200}\);?\s{0,20}\{?\s{0,20}$/,
  /^\s*(?:return|if \(|for \(|while \(|\} else|case )\b.*[;{:]\s*$/,
  /^\s*[\w$.]+\s*(?::=|=|\+=)\s.*;\s*$/,
  /^\s*(?:\/\/|\/\*|\*\/|\* @)/,
  /^\s*[.#@]?[a-zA-Z][\w\s.#:>,@()-]{0,100}\{\s*$/,
  /^\s+[\w-]{1,60}:\s[^;]{1,150};\s*$/,
  /^\s*<\/?[A-Za-z][\w.-]*(?:\s[^>]*)?\/?>\s*$/,
  /^[a-z][\w-]*:\s+(?:"|'|\d|true|false|\[|\{)/,
  /^https?:\/\/\S+\s+\d{3}\b/,
]

/** Lines that a person may type as well: pasted if one beside them was written by a machine, too. */
const MAYBE_MACHINE: readonly RegExp[] = [
  /^\[?\d\d:\d\d:\d\d/,
  /^\s*\[(?!P\d)[A-Z][\w ./:-]{1,40}\]\s+\S/,
  /^(?:Warning|Error|error|warning|hint|note): /,
  /^\S+\.\w{1,6}:\d+(?::\d+)?(?:[:\s]|$)/,
  /^\s*\$\s+\S/,
  /^\s+[\w-]{1,60}:(?:\s|$)|^[\w-]{1,60}:$/,
  /^\s*(?:SELECT|FROM|(?:LEFT |RIGHT |INNER |OUTER )?JOIN|WHERE|(?:ORDER|GROUP) BY|INSERT INTO|UPDATE|DELETE FROM|CREATE (?:TABLE|INDEX|VIEW)|ALTER TABLE|VALUES|HAVING|LIMIT) /,
  /^\s*(?:exit status \d|exit code \d)/i,
]
/** Here an agent's answer begins that was copied from a terminal: it goes on as long as its lines are indented. */
const ANSWER_START = /^\s*(?:⏺|⎿)/
/** Between these two, a review comment. */
const REVIEW_START =
  /^[\s*_#>]*(?:(?:Critical|High|Medium|Low|Major|Minor) Severity|⚠️ Potential issue|🧹 Nitpick|🛠️ Refactor suggestion)/
const REVIEW_END = /^\s*(?:Additional Locations|Fix in (?:Cursor|Web)|<!-- )/

/** In the middle of a typed line, where pasted text begins. */
const INNER_MACHINE =
  /(?<=\s)(?:\[\d\d:\d\d:\d\d|\[[A-Z]\w{2,30}\]\s|\d{4}-\d\d-\d\d[T ]\d\d:\d\d|#{1,3}\s[A-Z]|Traceback \(|Uncaught |\w{3,40}(?:Error|Exception): )/

/** How an order or a reply begins. */
const ORDERS =
  /^\s*(?:yes|no|ok|use|make|add|remove|change|rename|move|handle|keep|don['’]?t|do|never|always|update|replace|run|try|show|hide|set|put|delete|write|create|implement|test|to|drop|merge|revert|commit|push|thanks?|bitte|nein|ja|mach|oui|non|sí)\b/i
/** Between two machine lines, a paragraph that speaks to the agent. */
const SPEAKS =
  /\b(?:you|your|please|can|could|should|i|i'm|i've|my|we|let's|lets|here|fix|why|what|how|investigate|understand|look|check|see|also|and then|but|this is|these are)\b|[?]\s*$|[а-яё]{3}/i

interface Line {
  readonly text: string
  kind: 'blank' | 'machine' | 'maybe' | 'heading' | 'prose' | 'program' | 'code'
}

/** The passages of a message in order; together they are the whole message. */
export function passagesOf(message: string): Passage[] {
  if (isProgramMessage(message) || PLAN_OPENING.test(message))
    return [{ author: 'program', text: message }]
  const head = message.slice(0, MAX_CHARACTERS)
  const lines = shapesOf(head)
  const authors = authorsOf(lines, head.length)
  const passages: { author: Author; text: string }[] = []
  const add = (author: Author, text: string) => {
    const last = passages.at(-1)
    if (last?.author === author) last.text += text
    else if (text !== '') passages.push({ author, text })
  }
  for (const [index, { text }] of lines.entries()) {
    const author = authors[index] ?? 'typed'
    const end = index < lines.length - 1 ? '\n' : ''
    if (author !== 'typed' && author !== 'pasted') {
      add(author, `${text}${end}`)
      continue
    }
    const split = splitLine(text, author, authors[index + 1])
    if (split === undefined) add(author, `${text}${end}`)
    else {
      add(split.first, text.slice(0, split.at))
      add(split.second, `${text.slice(split.at)}${end}`)
    }
  }
  if (message.length > head.length) add('pasted', message.slice(head.length))
  return passages
}

/** What the person typed; empty if all of it was pasted or written by a program. */
export function typedText(message: string): string {
  return passagesOf(message)
    .filter(({ author }) => author === 'typed')
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join('\n')
}

/** Whether a program wrote the whole message: it is not a request at all. */
export function isProgramMessage(message: string): boolean {
  return PROGRAM_MESSAGE.test(message) || isProgramCommand(message)
}

/** `/exit`, `/model opus`: typed, but to the agent's program and not to the agent. */
function isProgramCommand(message: string): boolean {
  const [, name = '', rest = ''] =
    /^\/([a-z][\w-]*)(?:[ \t]+(\S[^\n]*))?$/.exec(message.slice(0, MAX_SHAPE).trim()) ?? []
  return TYPED_COMMANDS.has(name) && (rest === '' || !TAKES_REQUEST.has(name))
}

/** What the person asked with a message, a command in the form in which it was typed; undefined if it asks the agent for nothing. */
export function askedIn(text: string): string | undefined {
  if (!/^\s*<command-(name|message)>/.test(text))
    return text.startsWith('<bash-input>') || isAllProgram(text) ? undefined : text
  const inner = (tag: string) => {
    const start = text.indexOf(`<${tag}>`)
    const end = text.indexOf(`</${tag}>`, start)
    return start === -1 || end === -1 ? '' : text.slice(start + tag.length + 2, end).trim()
  }
  const name = inner('command-name').replace(/^\//, '')
  const args = inner('command-args')
  // What is typed behind `/plan` follows as a message of its own.
  if (name === '' || PROGRAM_COMMANDS.has(name)) return undefined
  return [`/${name}`, args].filter(Boolean).join(' ')
}

function isAllProgram(text: string): boolean {
  if (isProgramMessage(text)) return true
  if (!/^\s*(?:<|Operation stopped by hook)/.test(text)) return false
  return passagesOf(text).every((part) => part.author === 'program' || part.text.trim() === '')
}

/** Whether the message is a plan that the person approved. */
export function isApprovedPlan(message: string): boolean {
  return PLAN_OPENING.test(message)
}

/** One line that tells this request from others: the plan's heading, the first typed sentence, never a pasted log. */
export function titleOf(message: string, maxLength = MAX_TITLE): string {
  const beginning = message.slice(0, MAX_CHARACTERS)
  if (isApprovedPlan(beginning)) {
    const heading = beginning.split('\n').find((line) => HEADING.test(line))
    if (heading !== undefined) return shownLine(plainHeading(heading), maxLength)
  }
  const typed = typedText(beginning)
  const [line = ''] = (typed === '' ? beginning : typed).split('\n').filter((one) => one.trim())
  return shownLine(HEADING.test(line) ? plainHeading(line) : line, maxLength)
}

function plainHeading(line: string): string {
  return line.replace(/^[\s#]+/, '').replace(/^Plan:\s+/, '')
}

function shapesOf(text: string): Line[] {
  let fence: string | undefined
  let tag: string | undefined
  let isHookText = false
  let inside: 'hunk' | 'answer' | 'review' | undefined
  const lines = text.split('\n').map((line): Line => {
    const shape = line.slice(0, MAX_SHAPE)
    if (tag !== undefined) {
      if (line.includes(`</${tag}>`)) tag = undefined
      return { text: line, kind: 'program' }
    }
    const mark = FENCE.exec(shape)?.[0].trim()[0]
    if (fence !== undefined) {
      if (mark === fence) fence = undefined
      return { text: line, kind: 'code' }
    }
    if (mark !== undefined) {
      fence = mark
      return { text: line, kind: 'code' }
    }
    const goesOn = inside !== undefined && goesOnInside(inside, shape)
    const isReviewEnd = inside === 'review' && REVIEW_END.test(shape)
    if (isReviewEnd || !goesOn) inside = undefined
    if (/^@@ -\d/.test(shape)) inside = 'hunk'
    else if (ANSWER_START.test(shape)) inside = 'answer'
    else if (REVIEW_START.test(shape)) inside = 'review'
    if ((goesOn || inside !== undefined) && shape.trim() !== '')
      return { text: line, kind: 'machine' }
    if (shape.trim() === '') {
      isHookText = false
      return { text: line, kind: 'blank' }
    }
    isHookText ||= shape.startsWith('Operation stopped by hook: ')
    if (isHookText || /^\[(?:Request interrupted|Image|image|Pasted text)/.test(shape))
      return { text: line, kind: 'program' }
    const opened = OPEN_TAG.exec(shape.trimStart())?.[1]
    if (opened !== undefined && PROGRAM_TAGS.has(opened)) {
      if (!line.includes(`</${opened}>`)) tag = opened
      return { text: line, kind: 'program' }
    }
    if (HEADING.test(shape)) return { text: line, kind: 'heading' }
    if (isDense(line) || MACHINE_LINES.some((pattern) => pattern.test(shape)))
      return { text: line, kind: 'machine' }
    const isMaybe = MAYBE_MACHINE.some((pattern) => pattern.test(shape))
    return { text: line, kind: isMaybe ? 'maybe' : 'prose' }
  })
  const isMade = (line: Line | undefined) => line?.kind === 'machine' || line?.kind === 'maybe'
  return lines.map((line, index) =>
    line.kind === 'maybe'
      ? {
          text: line.text,
          kind: isMade(lines[index - 1]) || isMade(lines[index + 1]) ? 'machine' : 'prose',
        }
      : line,
  )
}

/** Whether a line still belongs to the pasted part that began above it. */
function goesOnInside(part: 'hunk' | 'answer' | 'review', shape: string): boolean {
  if (part === 'hunk') return /^[ +\-\\]/.test(shape)
  if (part === 'answer') return shape.trim() === '' || /^ {2,}\S/.test(shape)
  return true
}

/** Very long lines with hardly a blank are data. */
function isDense(line: string): boolean {
  if (line.length < 400) return false
  const part = line.slice(0, 4000)
  return part.split(' ').length < part.length / 25
}

function authorsOf(lines: readonly Line[], length: number): Author[] {
  const authors = lines.map(({ kind }): Author => {
    if (kind === 'program') return 'program'
    return kind === 'machine' || kind === 'code' ? 'pasted' : 'typed'
  })
  fillGaps(lines, authors)
  // A text with several headings is a document that was written elsewhere.
  const headings = lines.flatMap(({ kind }, index) => (kind === 'heading' ? [index] : []))
  const [first] = headings
  if (first !== undefined && headings.length >= 2 && length > 600)
    for (let index = first; index < lines.length; index++)
      if (authors[index] === 'typed') authors[index] = 'pasted'
  return authors
}

/** Lines without a shape of their own belong to the log around them, unless a paragraph of its own speaks to the agent. */
function fillGaps(lines: readonly Line[], authors: Author[]): void {
  let last = -1
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== 'machine') continue
    const gap = lines.slice(last + 1, index)
    if (last !== -1 && gap.length > 0 && !isOwnParagraph(gap))
      for (let between = last + 1; between < index; between++)
        if (authors[between] === 'typed') authors[between] = 'pasted'
    last = index
  }
  // What follows the last of them without a blank line is still the log, unless it speaks.
  for (let index = last + 1; last !== -1 && lines[index]?.kind === 'prose'; index++) {
    if (speaks(lines[index]?.text ?? '')) break
    authors[index] = 'pasted'
  }
}

function isOwnParagraph(gap: readonly Line[]): boolean {
  if (gap.length > 40) return true
  const prose = gap.filter(({ kind }) => kind === 'prose')
  if (prose.length === 0) return false
  const isApart = gap[0]?.kind === 'blank' && gap.at(-1)?.kind === 'blank'
  return isApart && prose.some(({ text }) => speaks(text))
}

function speaks(line: string): boolean {
  const shape = line.slice(0, MAX_SHAPE)
  return SPEAKS.test(shape) || ORDERS.test(shape)
}

interface Split {
  readonly at: number
  readonly first: Author
  readonly second: Author
}

/** A line of which one half was typed and the other pasted. */
function splitLine(text: string, author: Author, next: Author | undefined): Split | undefined {
  if (author === 'typed') {
    const inner = INNER_MACHINE.exec(text)?.index
    if (
      inner !== undefined &&
      wordsIn(text.slice(0, inner)) >= 3 &&
      (next === 'pasted' || text.length - inner > 60)
    )
      return { at: inner, first: 'typed', second: 'pasted' }
    const colon = next === 'pasted' ? text.indexOf(': ') : -1
    if (colon !== -1 && colon + 2 < text.length && wordsIn(text.slice(0, colon)) >= 4)
      return { at: colon + 2, first: 'typed', second: 'pasted' }
    return undefined
  }
  // The last frame of a trace with a typed sentence right behind it.
  const frame = next === 'pasted' ? undefined : /:\d+:\d+\)(?=[A-Z][a-z]+ [a-z])/.exec(text)
  return frame ? { at: frame.index + frame[0].length, first: 'pasted', second: 'typed' } : undefined
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter(Boolean).length
}
