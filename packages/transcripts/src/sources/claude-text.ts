import { type JsonObject, listOf, objectOf, textOf } from '../reading/loose-json.ts'

const LEADING_BLOCK = /^\s*<(system-reminder|ide_opened_file|ide_selection)>[\s\S]*?<\/\1>\s*/
const REMINDER_END = '</system-reminder>'

const REJECTED = "The user doesn't want to proceed with this tool use"
const REJECTED_BECAUSE = 'the user said:\n'
/** The program's words in the place of a comment: the person chose to talk about the questions first. */
const NO_COMMENT = /^\s*The user wants to clarify these questions/
/** What newer versions put behind the person's comment. */
const AFTER_COMMENT =
  /\n\s{0,20}\n\s{0,20}Note: The user's next message may contain a correction[\s\S]*$/
const ANSWERED = /^User has answered your questions?: /
const ANSWER_PAIR = /"((?:[^"\\]|\\.)*)"="((?:[^"\\]|\\.)*)"/g

/** Bytes at either end of a long record in which one of these sentences stands. */
const EDGE = 6000

/** Whether a tool's result may hold words that the person typed, by its bytes alone. */
export function mayHoldReply(line: Buffer): boolean {
  const ends =
    line.length <= 2 * EDGE ? [line] : [line.subarray(0, EDGE), line.subarray(line.length - EDGE)]
  return ends.some((part) => part.includes('user said:') || part.includes('User has answered'))
}

export interface Reply {
  readonly request: string
  /** What the agent had asked. */
  readonly question?: string
}

/** The person's words in a tool's result: a comment on a rejected call, or answers to the agent's questions. */
export function replyIn(content: unknown, toolUseResult: unknown): Reply | undefined {
  for (const block of listOf(content).map(objectOf)) {
    if (block.type !== 'tool_result') continue
    const output = resultText(block.content)
    const comment = output.startsWith(REJECTED) ? commentIn(output) : undefined
    if (comment !== undefined) return { request: comment }
    if (ANSWERED.test(output)) return answersIn(output, objectOf(toolUseResult))
  }
  return undefined
}

function commentIn(output: string): string | undefined {
  const at = output.indexOf(REJECTED_BECAUSE)
  if (at === -1) return undefined
  const comment = output.slice(at + REJECTED_BECAUSE.length).replace(AFTER_COMMENT, '')
  return NO_COMMENT.test(comment) || comment.trim() === '' ? undefined : comment
}

function answersIn(output: string, result: JsonObject): Reply | undefined {
  const recorded = Object.entries(objectOf(result.answers)).map(
    ([question, answer]) => [question, [answer].flat().join(', ')] as const,
  )
  const pairs =
    recorded.length > 0
      ? recorded
      : [...output.matchAll(ANSWER_PAIR)].map(
          ([, question = '', answer = '']) => [question, answer] as const,
        )
  const given = pairs.filter(([, answer]) => answer.trim() !== '')
  if (given.length === 0) return undefined
  const number = (text: string, index: number) =>
    given.length === 1 ? text : `${index + 1}. ${text}`
  return {
    request: given.map(([, answer], index) => number(answer.trim(), index)).join('\n'),
    question: given.map(([question], index) => number(question, index)).join(' '),
  }
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => textOf(objectOf(part).text) ?? '')
    .join('\n')
}

/** The text of a record without what the program put around it. */
export function ownText(content: unknown): string | undefined {
  if (typeof content === 'string') return withoutBlocks(content)
  const blocks = listOf(content).map(objectOf)
  const texts = blocks
    .filter(({ type }) => type === 'text')
    .map(({ text }) => withoutBlocks(String(text ?? '')))
  const own = texts.filter((text) => text !== undefined).join('\n')
  if (own !== '') return own
  return !holdsResult(blocks) && blocks.some(({ type }) => type === 'image') ? '[image]' : undefined
}

export function holdsResult(content: unknown): boolean {
  return listOf(content).some((block) => objectOf(block).type === 'tool_result')
}

function withoutBlocks(text: string): string | undefined {
  let rest = text
  for (let block = LEADING_BLOCK.exec(rest); block; block = LEADING_BLOCK.exec(rest))
    rest = rest.slice(block[0].length)
  if (rest.endsWith(REMINDER_END)) {
    const start = rest.lastIndexOf('<system-reminder>')
    if (start !== -1) rest = rest.slice(0, start).trimEnd()
  }
  return rest.trim() === '' ? undefined : rest
}

/** Newer versions say who sent a record; older ones say nothing. */
export function isFromPerson({ origin, promptSource, isMeta }: JsonObject): boolean {
  const { kind } = objectOf(origin)
  return (kind === undefined || kind === 'human') && promptSource !== 'system' && isMeta !== true
}
