export type Verdict = 'yes' | 'no' | 'stop'

const set = (words: string) => new Set(words.split(' '))
const YES = set(
  'of y yes yep yeah yup ok okay sure go do confirm confirmed please absolutely definitely certainly delete remove proceed да ага угу конечно давай хорошо ладно подтверждаю удаляй удали удалить согласен согласна ок окей можно валяй точно верно',
)
const NO = set(
  "n no nope nah not don't dont never cancel keep leave nothing neither нет не неа отмена отмени отменить оставь ничего никогда",
)
const STOP = set(
  'stop abort halt enough quit стоп хватит остановись прекрати прекращай остановить довольно',
)
/** A yes with one of these is no plain yes. */
const DOUBT = set(
  "no not don't dont but only except instead wait unless later нет не но только кроме подожди погоди потом позже",
)
const FILLERS = set(
  "yes sure please do it that this them so go ahead the a task one now thanks thank you i i'm am mean for me of course and right with to all everything да пожалуйста её ее его это эту этот их задачу задача сейчас спасибо я конечно точно все всё всех да-да и же делай сделай удаляй удали давай можно",
)
const MAX_NO = 6

/** What a reply to a yes-or-no question says, in English or Russian; undefined where it says something else. */
export function verdictOf(message: string, question = ''): Verdict | undefined {
  const words = wordsOf(message)
  const [first] = words
  if (first === undefined) return undefined
  if (STOP.has(first) && words.length <= MAX_NO) return 'stop'
  if (NO.has(first)) return isShortNo(words) ? 'no' : undefined
  if (!YES.has(first) || words.some((word) => DOUBT.has(word))) return undefined
  // The words of the question may be repeated: “Yes, delete task 3”.
  const asked = new Set(wordsOf(question))
  const isPlain = words.every((word) => YES.has(word) || FILLERS.has(word) || asked.has(word))
  return isPlain ? 'yes' : undefined
}

/** “No, delete task 5” is a new wish. */
function isShortNo(words: readonly string[]): boolean {
  return words.length <= MAX_NO && !words.some((word) => /\d/.test(word))
}

function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}'-]+/gu) ?? []
  )
}
