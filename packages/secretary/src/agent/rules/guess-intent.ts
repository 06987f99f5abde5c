import type { Intent } from './intent.ts'
import { about, add } from './rule.ts'

type Action = 'add' | 'list' | 'complete' | 'reopen' | 'delete'

/** What gives an action away, wherever it stands in a sentence. Tried in this order. */
const SIGNS: ReadonlyArray<readonly [Action, RegExp]> = [
  [
    'reopen',
    /^(?:верн|переоткр|возобнов|восстанов|re-?open|restore|uncheck|активн|haven't|hasn't|isn't|невыполн|незаверш)/,
  ],
  [
    'delete',
    /^(?:удал|убер|убра|сотр|стер|вычерк|выкин|выброс|очист|передума|delet|remov|eras|scrap|discard|clear|drop|never$|forget$|ненуж)/,
  ],
  [
    'complete',
    /^(?:выполн|заверш|закры|закро|законч|готов|сделан|сделал|отмет|помет|галочк|complet|finish|done$|tick|check|close)/,
  ],
  ['add', /^(?:добав|созда|заведи|запиш|напомн|запомн|запланир|заметк|add$|schedul|remind|gotta$)/],
  ['list', /^(?:покаж|показ|перечисл|список|списк|какие$|show|list$|see$|view|display)/],
]
const NEGATION = /^(?:не|not|no|never)$/
/** Words that say how something is asked for and not what. */
const FILLER =
  /^(?:я|мы|мне|нам|ты|вы|надо|нужн\p{L}*|можно|пора|бы|ли|как|уже|ещё|еще|снова|опять|заново|из|в|во|о|об|про|с|на|у|что|все[гм]?о?|это|эту|этот|её|ее|его|будет|должн\p{L}*|хочу|пожалуйста|из|мой|мою|мои|моего|отметк\p{L}*|больше|задач\p{L}*|дел[ао]?|дела|пункт\p{L}*|номер\p{L}*|спис\p{L}*|сделай|поставь|нужно|i|we|my|me|the|a|an|is|are|was|to|as|it|that|this|can|could|you|please|should|be|now|again|from|off|with|on|of|in|task|tasks|todo|item|number|list|mark|set|mind|need|longer|anymore|any|more|have|has|been|make)$/u
const MOST_WORDS = 12

/** What a sentence that fits no rule may still mean: by the stems of its words, the rest naming the task. */
export function guessIntent(said: string): Intent {
  const words = said.match(/[#№]?[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []
  if (words.length > MOST_WORDS) return { kind: 'unknown' }
  const lower = words.map((word) => word.toLowerCase())
  const found = SIGNS.find(([, sign]) => lower.some((word) => sign.test(word)))
  if (!found) return { kind: 'unknown' }
  const [kind] = found
  const rest = words.filter(
    (_, at) =>
      !isFunctionWord(lower[at] ?? '') && !SIGNS.some(([, sign]) => sign.test(lower[at] ?? '')),
  )
  const isDenied = lower.some((word) => NEGATION.test(word))
  if (kind === 'list') return { kind, ...(isDenied ? { completed: false } : {}) }
  if (kind === 'add') return isDenied ? { kind: 'unknown' } : add(rest.join(' ') || undefined)
  const number = rest.filter((word) => /^[#№]?\d+$/.test(word))
  const named = number.length > 0 ? number.join(' ') : rest.join(' ')
  if (named === '') return { kind: 'unknown' }
  if (isDenied) return kind === 'complete' ? about('reopen', named) : { kind: 'unknown' }
  return about(kind, named)
}

function isFunctionWord(word: string): boolean {
  return FILLER.test(word) || NEGATION.test(word)
}
