/** What a question is made of, by how much each part tells. */
export interface QuestionParts {
  /** What it is about: all of a short question, the first line of a long one. */
  readonly title: string
  /** The rest of the prose, without what forms and tools put there. */
  readonly prose: string
  /** What stands between backticks in prose. */
  readonly spans: readonly string[]
  /** Blocks of code, logs and traces. */
  readonly blocks: readonly string[]
}

const LONG = 240
const LONGEST_TITLE = 200
const FENCE = /(?<![`~])(```|~~~)[^\n]{0,200}\n([\s\S]*?)(?:\n[ \t]{0,20}\1|$)/g
/** Lines that a prompt, a trace or an indented block begins with. */
const CODE_LINE = /^(?: {4,}|\t|>>> |\.\.\. |\$ |In \[\d|Out\[\d|Traceback |\s+at |\s+File ")/
/** From here on only versions of the machine and its packages follow. */
const MACHINE =
  /^\W*(?:installed versions|versions?|environment|system info|output of .*(?:pip|version)|pip list|platform|os\b.*version)\W*$/i
/** Headings of forms: they say nothing about this question. */
const FORM =
  /^\W{0,40}(?:(?:steps|code|how) to reproduce|expected (?:behaviou?r|results?|output)|actual (?:behaviou?r|results?|output)|current behaviou?r|describe the (?:bug|issue)|bug description|description|summary|configuration|command used|pylint output|what happened|what did you expect to happen|minimal complete verifiable example|mvce confirmation|relevant log output|anything else we need to know|additional (?:context|dependencies)|is your feature request related to a problem|- \[[ x]\].{0,400})\W{0,40}$/i

export function questionParts(text: string): QuestionParts {
  const whole = text.trim()
  if (whole.length <= LONG && !whole.includes('\n'))
    return { title: whole, prose: '', spans: [], blocks: [] }
  const blocks: string[] = []
  const withoutBlocks = whole
    .replace(/<!--(?:(?!<!--)[\s\S])*?-->/g, '')
    .replace(FENCE, (_, _fence, block: string) => {
      blocks.push(block)
      return '\n'
    })
  const prose: string[] = []
  const indented: string[] = []
  for (const line of withoutBlocks.split('\n')) {
    if (MACHINE.test(line)) break
    if (FORM.test(line)) continue
    if (CODE_LINE.test(line) && prose.length > 0) indented.push(line)
    else if (line.trim() !== '') prose.push(line.trim())
  }
  if (indented.length > 0) blocks.push(indented.join('\n'))
  const [first = '', ...rest] = prose
  const title = firstSentence(first.replace(/^#+\s*/, ''))
  return {
    title,
    prose: [first.slice(title.length), ...rest].join('\n'),
    spans: [...withoutBlocks.matchAll(/`([^`\n]{2,80})`/g)].map(([, span = '']) => span),
    blocks,
  }
}

function firstSentence(line: string): string {
  if (line.length <= LONGEST_TITLE) return line
  const end = /[.!?](?= )/.exec(line.slice(40, LONGEST_TITLE))
  return line.slice(0, end ? end.index + 41 : LONGEST_TITLE)
}
