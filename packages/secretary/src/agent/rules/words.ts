/** How people write the words of a title: “report” for “reports”, “стоматолога” for “стоматологу”, “paid” for “pay”, “reprot” for “report”. */
export function isSameWord(word: string, other: string): boolean {
  if (word === other) return true
  const [a, b] = [baseOf(word), baseOf(other)]
  if (a === b) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length > 3 && long.startsWith(short)) return true
  return short.length >= MIN_TYPO && long.length - short.length <= 1 && isTypo(short, long)
}

/** But for their endings. */
export function isSameStem(word: string, other: string): boolean {
  return baseOf(word) === baseOf(other)
}

const MIN_TYPO = 5

/** Lower-case words and numbers, the apostrophe kept: “isn't”. */
export function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? []
  )
}

function baseOf(word: string): string {
  return stemOf(IRREGULAR.get(word) ?? word.replace(/'s$/, ''))
}

/** Russian words change their endings, English ones less. */
function stemOf(word: string): string {
  const plain = word.replaceAll('ё', 'е')
  const stem = plain.replace(RUSSIAN_ENDING, '$1')
  return stem === plain ? plain.replace(/^(\w{3,}?)(?:ing|ed|es|s)$/, '$1') : stem
}

const RUSSIAN_ENDING =
  /^(\p{Script=Cyrillic}{3,}?)(?:[аяоеы]?ми|[ое]го|[ое]му|[оеыи]й|[оеая]м|[ая]х|[ое]в|[уюаяоеыи][юяе]|[аеиоуыэюяйь])$/u

const IRREGULAR = new Map(
  Object.entries({
    bought: 'buy',
    built: 'build',
    did: 'do',
    done: 'do',
    found: 'find',
    gave: 'give',
    got: 'get',
    held: 'hold',
    made: 'make',
    met: 'meet',
    paid: 'pay',
    payed: 'pay',
    ran: 'run',
    sent: 'send',
    sold: 'sell',
    spoke: 'speak',
    swept: 'sweep',
    took: 'take',
    taught: 'teach',
    went: 'go',
    wrote: 'write',
    written: 'write',
  }),
)

/** One letter wrong, missing, added, or two of them swapped. */
export function isTypo(short: string, long: string): boolean {
  if (short[0] !== long[0]) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1)
  if (short.slice(at + 1) === long.slice(at + 1)) return true
  return (
    short[at] === long[at + 1] &&
    short[at + 1] === long[at] &&
    short.slice(at + 2) === long.slice(at + 2)
  )
}

export function dateOf(timestamp: number): string {
  return new Date(timestamp).toISOString().slice(0, 10)
}
