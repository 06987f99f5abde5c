import { cutText } from '@secretary-mcp/transcripts/preview.ts'

const MAX_LENGTH = 48
const MAX_WORDS = 7
export const MAX_QUESTION = 240

/** Replies that mean nothing without what they answer are made of these words alone. */
const REPLY_WORDS = new Set(
  (
    'y yes yep yeah yup no nope nah ok okay k sure fine right correct exactly good great perfect nice cool thanks thank thx lgtm approved approve ' +
    'agreed go ahead on for of it do this that these those them continue proceed next please both all none either neither everything each the ' +
    'first second third last former latter one two three four option options number and or with just only a b c d let lets us now again ' +
    'да нет ок ага угу давай давайте продолжай продолжи хорошо дальше делай оба обе все всё первый первое второй второе третий вариант пожалуйста и ' +
    'ja nein weiter mach bitte beide alle erste zweite gut genau oui non vas-y continue les deux le premier le second sí si no dale sigue ' +
    'adelante ambos todos el primero sim não pode continua continuar ambos'
  ).split(' '),
)
const REPLY_SIGNS =
  /^(?:好的?|是的?|不|继续|可以|行|都|两个都要|はい|いいえ|続けて|お願いします|네|예|아니요|계속|그래|해줘)[。.!！]?$/
/** These ask for something by themselves; with a question before them they answer it. */
const SHORT_ORDERS =
  /^(?:then |ok |and |yes,? )?(?:commit|push|merge|deploy|release|ship|run|test|stop|wait|retry)(?: (?:it|this|that|and push|all|them|now))?[.!]?$/i

/** Whether a request means nothing without the question that it answers. */
export function isBareReply(request: string): boolean {
  const text = request.trim()
  if (text === '' || text.length > MAX_LENGTH) return false
  if (REPLY_SIGNS.test(text)) return true
  const words = text.toLowerCase().match(/[\p{L}'’-]+|\d+/gu) ?? []
  return (
    words.length > 0 &&
    words.length <= MAX_WORDS &&
    words.every((word) => REPLY_WORDS.has(word) || /^\d{1,2}$/.test(word))
  )
}

/** Whether a request can only be understood, or is better understood, with the agent's words before it. */
export function mayAnswer(request: string): boolean {
  return isBareReply(request) || SHORT_ORDERS.test(request.trim())
}

/** What a reply answers, from the agent's words before it; undefined if nothing was asked. */
export function questionBefore(request: string, answer: string | undefined): string | undefined {
  if (answer === undefined) return undefined
  if (!mayAnswer(request)) return undefined
  return lastQuestion(answer) ?? (isBareReply(request) ? lastLine(answer) : undefined)
}

/** The last line of a text that asks something. */
export function lastQuestion(answer: string): string | undefined {
  const line = linesOf(answer).findLast((one) => ASKS.test(withoutCode(one)))
  return line === undefined ? undefined : cutText(line, MAX_QUESTION)
}

/** A question mark that ends a sentence; that of `name?: string` or of an address does not. */
const ASKS = /(?<=[^\s?？])[?？]{1,9}(?:[)\]"'’”»*_]{0,4}(?:\s|$)|[\u3000-\u9fff\uac00-\ud7af])/u

function withoutCode(line: string): string {
  return line.replace(/`[^`]{0,400}`/g, '·')
}

/** Whether the agent's last words are a question to the person. */
export function endsWithQuestion(answer: string | undefined): boolean {
  return answer !== undefined && /[?？]\W{0,20}$/.test(answer.trim().slice(-200))
}

function lastLine(answer: string): string | undefined {
  const line = linesOf(answer).at(-1)
  return line === undefined ? undefined : cutText(line, MAX_QUESTION)
}

/** The lines of prose: neither code nor the rows of a table ask or answer anything. */
function linesOf(answer: string): string[] {
  let isCode = false
  return answer
    .slice(-20_000)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => {
      const isFence = /^(?:```|~~~)/.test(line)
      if (isFence) isCode = !isCode
      return !isFence && !isCode && /[\p{L}\d]/u.test(line) && !line.startsWith('|')
    })
}
