import { add, type Intent } from './rule.ts'

/** “Add three tasks: a, b and c”, a list of lines, or several quoted titles. Undefined where one task at most is meant. */
export function severalTitles(message: string): [Intent, ...Intent[]] | undefined {
  const text = message.trim()
  const intro = INTRODUCTION.exec(text)
  const items = intro
    ? itemsIn(text.slice(intro[0].length), intro[0])
    : (quotedItems(text) ?? numberedItems(text) ?? semicolonItems(text))
  const titles = (items ?? [])
    .map((item) =>
      item
        .replace(BULLET, '')
        .replace(/[\s.,;]{1,9}$/, '')
        .trim(),
    )
    .filter((item) => item !== '')
  const [first, ...more] = titles.slice(0, MAX_TITLES).map((title) => add(title))
  return first && more.length > 0 ? [first, ...more] : undefined
}

const MAX_TITLES = 50
const BULLET = /^\s*(?:[-*•–—]|\d{1,2}[.)]|\[ ?\])\s+/u

/** An order to add, and a plural or a list below it. */
const INTRODUCTION =
  /^(?:(?:please|pls|can you|could you|пожалуйста|плиз|и|а|so|ok)[, ]+)*(?:(?:add|create|make|put|note|write|enter|new|добавь(?:те)?|добавить|создай(?:те)?|заведи|запиши(?:те)?|внеси|нов\p{L}+|занеси|закинь|накидай|набросай|поставь|i have|i've got|i got|i need|we need|there are|today|for today|у меня|мне (?:надо|нужно)|нужно|надо|сегодня|есть|план)(?!\p{L})[^:\n]{0,60}?)?(?:(?<!\p{L})(?:tasks|to-?dos|items|things|these|following|list|задачи|задач|дела|пункты|пункта|вещи|список|списка|следующее|туду)(?!\p{L})[^:\n]{0,25})(?::[ \t]*\n?|\n)/iu

function itemsIn(text: string, introduction: string): string[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length > 1) return lines
  if (text.includes(';')) return text.split(';')
  const wanted = countIn(introduction)
  const byComma = text.split(',')
  const [last = ''] = byComma.slice(-1)
  const tail = last.split(/ (?:and|&|и|plus|а также) /iu)
  const all = [...byComma.slice(0, -1), ...tail].map((item) =>
    item.replace(/^\s*(?:and|и|then|потом)\s+/iu, ''),
  )
  // “Three tasks: a, b, c and d” has three titles, the last with an “and” of its own.
  return wanted === byComma.length ? byComma : all
}

const COUNTS: ReadonlyArray<readonly [number, RegExp]> = [
  [2, /(?<!\p{L})(?:2|two|couple|дв[ае]|пару?)(?!\p{L})/iu],
  [3, /(?<!\p{L})(?:3|three|три)(?!\p{L})/iu],
  [4, /(?<!\p{L})(?:4|four|четыре)(?!\p{L})/iu],
  [5, /(?<!\p{L})(?:5|five|пять)(?!\p{L})/iu],
]

function countIn(text: string): number | undefined {
  return COUNTS.find(([, word]) => word.test(text))?.[0]
}

const BEGINS =
  /^(?:(?:please|pls|can you|could you|пожалуйста|плиз)[, ]+)*(?:add|note(?: down)?|write down|put|добавь(?:те)?|запиши(?:те)?|внеси|занеси|закинь|создай(?:те)?)(?!\p{L})[ :]*/iu

/** Nothing but quoted titles, and words that join them. */
function quotedItems(text: string): string[] | undefined {
  const begin = BEGINS.exec(text)
  if (!begin) return undefined
  const after = text.slice(begin[0].length)
  const items = [
    ...after.matchAll(
      /["“«]([^"“”«»]{1,200})["”»]|(?<![\p{L}\p{N}])['‘]([^'‘’]{1,200})['’](?![\p{L}\p{N}])/gu,
    ),
  ]
  const between = items.reduce((rest, [quoted]) => rest.replace(quoted, ' '), after)
  const isList =
    /^[\s,;.!?]*(?:(?:and|и|to|on|in|my|the|list|tasks?|в|мой|список|задачи|дела|please|плиз|пожалуйста)(?=[\s,;.!?]|$)[\s,;.!?]*)*$/iu.test(
      between,
    )
  return items.length > 1 && isList ? items.map(([, a, b]) => a ?? b ?? '') : undefined
}

/** “Add 1) iron the shirts 2) polish the shoes” */
function numberedItems(text: string): string[] | undefined {
  const begin = BEGINS.exec(text)
  const after = begin && text.slice(begin[0].length)
  if (!after || !/^1[.)] /.test(after)) return undefined
  return after.split(/(?:^|[\s,;])\d{1,2}[.)] /u).slice(1)
}

/** “Note: buy eggs; buy flour” */
function semicolonItems(text: string): string[] | undefined {
  const begin = BEGINS.exec(text)
  if (!begin?.[0].includes(':') || !text.includes(';')) return undefined
  return text.slice(begin[0].length).split(';')
}
