import { findTasks, type KnownTask, tellingWords } from './find-task.ts'
import { labelIn, levelIn } from './plan-words.ts'
import type { Intent, Plan, TaskIntent, TaskReference } from './rule.ts'
import { isSameStem, isSameWord, isTypo, wordsOf } from './words.ts'

type Action = 'reopen' | 'delete' | 'complete' | 'show'

/**
 * What a message means, seen from the person's own tasks: which of them each clause names, and what its other words say of it. For
 * sentences that fit no rule. Empty where no task is named, or nothing is said of it.
 */
export function groundIntents(
  message: string,
  tasks: readonly KnownTask[],
  isQuestion: boolean,
): readonly Intent[] {
  const clauses = message
    .slice(0, MAX_LENGTH)
    .split(CLAUSE_END)
    .map((text) => readClause(text, tasks))
    .filter(({ words }) => words.length > 0)
  const found: TaskIntent[] = []
  let named: TaskReference | undefined
  for (const [at, clause] of clauses.entries()) {
    const before = named ?? (clause.words.some((word) => IT.has(word)) ? IT_ALONE : undefined)
    const task = clause.task ?? (clause.isPointing ? before : undefined)
    if (!task) continue
    named = task
    // “The milk and the bread are bought”: what is said of the last is said of all before it.
    const act = clause.act ?? clauses.slice(at + 1).find((later) => later.act)?.act
    const meant = isQuestion ? { kind: 'show' as const } : act
    if (meant) found.push({ ...meant, task })
  }
  return distinct(found)
}

const IT = new Set('it that this её ее его это эту этот'.split(' '))
const IT_ALONE = { it: true } as const

const MAX_LENGTH = 500
const CLAUSE_END = /[,;.!?\n()]+(?=\s|$)|[()]|\s(?:and|but|и|а|но|then|потом)\s/iu

interface Clause {
  readonly words: readonly string[]
  readonly task?: TaskReference
  /** It has no subject of its own: “set it to low”, “mark as done”. */
  readonly isPointing: boolean
  readonly act?: { readonly kind: Action } | { readonly kind: 'plan'; readonly plan: Plan }
}

function readClause(text: string, tasks: readonly KnownTask[]): Clause {
  const level = levelIn(text)
  const label = labelIn(level?.rest ?? text)
  const words = wordsOf(label?.rest ?? level?.rest ?? text)
  const task = numberIn(text) ?? taskIn(words, tasks)
  const act = actIn(wordsOf(text))
  const plan: Plan | undefined =
    level || label
      ? { ...level?.plan, ...(label ? { labels: [label.label], lists: 'add' as const } : {}) }
      : undefined
  return {
    words: wordsOf(text),
    task,
    isPointing: task === undefined && words.every((word) => !isTelling(word)),
    ...(act && (act !== 'complete' || !plan)
      ? { act: { kind: act } }
      : plan
        ? { act: { kind: 'plan', plan } }
        : {}),
  }
}

const NUMBER =
  /(?:^|[^\p{L}])(?:tasks?|items?|number|no|todo|задач\p{L}*|номер\p{L}*|пункт\p{L}*|дел[оау])[ .#№]{1,3}(?<id>\d{1,9})(?!\d)|[#№](?<hash>\d{1,9})/iu

function numberIn(text: string): TaskReference | undefined {
  const groups = NUMBER.exec(text)?.groups
  const id = groups?.id ?? groups?.hash
  return id === undefined ? undefined : { id: Number(id) }
}

/** At least half of what the clause speaks of is in the title; several titles that fit as well are asked about. */
function taskIn(words: readonly string[], tasks: readonly KnownTask[]): TaskReference | undefined {
  const scored = tasks.map((task) => {
    const title = tellingWords(task.title)
    const hits = words.filter((word) => {
      const isLike = isTelling(word) ? isSameWord : isSameStem
      return title.some((other) => isLike(word, other))
    })
    return { task, hits }
  })
  const most = Math.max(0, ...scored.map(({ hits }) => hits.length))
  const best = scored.filter(({ hits }) => hits.length === most && most > 0)
  const [first] = best
  if (!first?.hits.some((word) => word.length > 2)) return undefined
  const details = wordsOf(first.task.description ?? '')
  const unknown = words.filter(
    (word) =>
      isTelling(word) &&
      !first.hits.includes(word) &&
      !details.some((other) => isSameWord(word, other)),
  )
  if (unknown.length > first.hits.length) return undefined
  return best.length === 1 ? { id: first.task.id } : { words: first.hits.join(' ') }
}

const SIGNS: ReadonlyArray<readonly [Action, RegExp, readonly string[]]> = [
  [
    'delete',
    /^(?:удал|убер|убра|сотр|стер|вычерк|выкин|выброс|выкид|снес|снос|передума|ненуж|delet|remov|eras|scrap|scratch|discard|ditch|drop$|dump$|cancel|forget$|kill|nix$|bin$|trash|неактуал|отмен)/,
    ['delete', 'remove', 'удали', 'убери', 'удалить'],
  ],
  [
    'reopen',
    /^(?:верн|переоткр|возобнов|восстанов|reopen|re-open|uncheck|restore|unfinished|undone|incomplete|недодел|невыполн|незаверш|рано|again|снова|заново|опять)/,
    ['reopen', 'верни', 'открой'],
  ],
  [
    'complete',
    /^(?:выполн|заверш|закры|закро|законч|готов|сделан|сделал|доделал|отмет|помет|галочк|complet|finish|done$|tick|check$|close[ds]?$|sorted|over$|through$|handled|купил|позвонил|оплатил|заплатил|отправил|покончен|разобрал|проверн|решен|решён|решил|смог|успел)/,
    [
      'finished',
      'complete',
      'completed',
      'закончил',
      'закончила',
      'выполнил',
      'готово',
      'сделано',
      'сделал',
    ],
  ],
]
const NEGATION =
  /^(?:не|not|no|never|n't|нет|isn't|isnt|aren't|arent|wasn't|wasnt|haven't|havent|hasn't|hasnt|didn't|didnt|don't|dont|ain't|without)$/
export const PAST =
  /^(?:(?!need|feed|speed|seed|weed|bed|red|wed|shed|hundred|urgent)\p{Script=Latin}{2,}ed|bought|built|did|done|found|gave|got|gotten|held|made|met|paid|payed|ran|sent|sold|spoke|swept|taken|took|taught|went|wrote|written|read|(?!хоте|дума|был|зна|мог|забы|сказа|спроси|(?:стол|отдел|файл|мыл|пол|дел|угол|узел|раздел|канал|журнал|материал|идеал|повтор)(?:$|а$|ы$))\p{Script=Cyrillic}{2,}(?:л|ла|ли|лся|лась|лись|лено|лена|лены|ано|ана|аны|ены|ена|ено|ён|ыт[аоы]?|ит[аоы]))$/u
const STILL = /^(?:still|yet|всё-таки|все-таки|всё-ещё|ещё|еще|пока|needs?|нужно|надо)$/

/** What is said of a task: that it is gone, open again or done. */
function actIn(words: readonly string[]): Action | undefined {
  const isDenied = words.some((word) => NEGATION.test(word))
  const has = (action: Action) =>
    SIGNS.some(
      ([name, pattern, whole]) =>
        name === action &&
        words.some(
          (word) =>
            pattern.test(word) ||
            (word.length >= MIN_TYPO && whole.some((one) => isNear(word, one))),
        ),
    )
  if (isDenied && words.some((word) => /^(?:нуж\p{L}*|надо|need|needed|want)$/u.test(word)))
    return 'delete'
  if (has('delete') && !isDenied) return 'delete'
  if (has('reopen')) return 'reopen'
  const isDone = has('complete') || words.some((word) => PAST.test(word))
  const isUndone = words.some((word) => UNDONE.test(word))
  if (isDenied)
    return isDone || isUndone || words.includes('всё') || words.includes('все')
      ? 'reopen'
      : undefined
  if (isDone) return 'complete'
  const isStill = words.filter((word) => STILL.test(word)).length > 1
  if (isStill) return 'reopen'
  return words.some((word) => SHOW.test(word)) ? 'show' : undefined
}

const SHOW = /^(?:tell|describe|details?|show|info|расскажи|опиши|покажи|подробн\p{L}*|детали)$/u
const UNDONE = /^(?:didn't|didnt|haven't|havent|hasn't|hasnt)$/
const MIN_TYPO = 6

function isNear(word: string, other: string): boolean {
  const [short, long] = word.length < other.length ? [word, other] : [other, word]
  return long.length - short.length <= 1 && isTypo(short, long)
}

/** Words that say how something is said and not what. */
const SCAFFOLDING = new Set(
  `a about actually after again all already also am an and any anything are as at be been being but by call called can could desc description describe detail details did do does don't done down
  due ever every finally for from get getting go going got guess had has have he her hey hi him his how i i'm i've if im in info is it it's item its just know label labels let like list literally look make mark me mine mind more my need needed needs no not note notes now number of off oh ok okay
  on one ones or other our out over please pls point priority prio put really right said say says see set she should show sir so some state status still stuff sure tag tags task tasks tell than thanks that that's the their them then there they thing things this though to todo today too
  everything ones currently display view filter whatever up us urgent very want was we well were what what's whats when where which who why will with would yeah yep yes yesterday yet you your think that’s let's longer anymore it'll wasn't isn't hasn't haven't didn't isnt dont
  этого этих сколько из список а без больше бы был была было были быть в вам вас вот все всё всё-таки все-таки вроде вы где да давай даже делать дело дела для до его ее её если есть еще ещё же за задача задаче задачи задачу задачей зачем и из или именно им их к как какая какие какой какую когда конечно короче кстати кто ли лучше меня метка метки мне мной мой
  мою моя мы на над надо написано напиши насчет насчёт наш не него неё нет ничего но ну нужен нужна нужно нужны о об один одна он она оно они описание описании опять от отметь отметка очень по под подробнее подробно подробности пожалуйста пока покажи пометь поставь потом почему почти при приоритет про пункт раз расскажи с сделай сегодня сейчас себе скажи снова со совсем состояние состоянии срочно статус так там тебе теперь то тоже только
  том точно тут ты у уж уже ура успел хочу чем что чтобы эта эти это этой этом эту я ага угу ок вчера наконец наконец-то уберём короче итак им ей ему нам только-только`.split(
    /\s+/,
  ),
)

export function isTelling(word: string): boolean {
  return (
    !SCAFFOLDING.has(word) &&
    !NEGATION.test(word) &&
    !PAST.test(word) &&
    !SIGNS.some(([, pattern, whole]) => pattern.test(word) || whole.includes(word))
  )
}

/** “Not that important, set it to low” says one thing twice. */
function distinct(intents: readonly TaskIntent[]): TaskIntent[] {
  const seen = new Set<string>()
  return intents.filter((intent) => {
    const key = JSON.stringify([intent.task, intent.kind])
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Whether one task at least is what the words mean. */
export function isKnown(tasks: readonly KnownTask[], reference: TaskReference): boolean {
  return !('words' in reference) || findTasks(tasks, reference).length > 0
}
