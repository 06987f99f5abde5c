import { isTelling, PAST } from './ground.ts'
import { labelIn, levelIn } from './plan-words.ts'
import { questionIn } from './questions.ts'
import {
  about,
  add,
  type Intent,
  label,
  type Plan,
  plan,
  type Rule,
  reference,
  remind,
  type TaskReference,
  update,
} from './rule.ts'
import { russianRules } from './russian-rules.ts'
import { severalTitles } from './several-titles.ts'
import { wordsOf } from './words.ts'

const DONE = '(?:done|completed?|finished|closed|ticked(?: off)?|checked(?: off)?)'

const TASK = '(?:tasks?|to-?dos?|items?)'

const MY_LIST = `(?:(?:my|the) )?(?:(?:to-?do|task)s? ?)?(?:list|tasks|to-?dos)`

const OPEN = '(?:open|pending|remaining|unfinished|incomplete|outstanding|left|not done|active)'

/** Tried in this order; the first that fits decides. The order matters: “mark 3 as not done” before “mark 3 as done”. */
const englishRules: readonly Rule[] = [
  [
    /^(?:hi|hello|hey|hiya|yo|good (?:morning|afternoon|evening)|how(?:'s| is|s) it going|how are you|what's up)\b[\s\w]{0,12}[!.]?$/,
    () => ({ kind: 'greeting' }),
  ],
  [
    /^(?:help|what can you do|how (?:does this work|do i use)|commands?)\b.*$/,
    () => ({ kind: 'help' }),
  ],
  [
    /\bassign (?:it|this|that|the|task|#?\d+)\b.* to\b|\b(?:due date|deadline)\b/,
    () => ({ kind: 'unsupported' }),
  ],

  [/^(?:tag|label) (?<t>.+?) (?:with|as):? (?<l>.+)$/, ({ t, l }) => label(t, l)],
  [
    /^(?:put|add|attach|set|give|stick) (?:the |a |an )?(?:tag|label)s? (?<l>.+?) (?:to|on|onto|for) (?<t>.+)$/,
    ({ t, l }) => label(t, l),
  ],
  [
    /^(?:put|add|attach|set|stick) (?:the |a |an )?(?<l>\S+) (?:tag|label) (?:to|on|onto|for) (?<t>.+)$/,
    ({ t, l }) => label(t, l),
  ],
  [/^give (?<t>.+?) the (?:tag|label) (?<l>.+)$/, ({ t, l }) => label(t, l)],
  [
    /^(?:remove|drop|take|delete|clear) (?:the )?(?:tag|label) (?<l>.+?) (?:from|off) (?<t>.+)$/,
    ({ t, l }) => label(t, l, 'remove'),
  ],
  [
    /^(?:remove|drop|take|delete|clear) (?:the )?(?<l>\S+) (?:tag|label) (?:from|off) (?<t>.+)$/,
    ({ t, l }) => label(t, l, 'remove'),
  ],
  [
    /^(?:tell me (?:more )?(?:about|of)|describe|details? (?:of|for|about|on)|(?:show|give|read)(?: me)? (?:the )?(?:details?|description|notes?|priority|state|labels?) (?:of|for|on)|more (?:about|on)|(?:show|open|view|see)(?: me)?(?= (?:task |number |item )?#?\d+$)|what(?:'s| is) in) (?<t>.+)$/,
    ({ t }) => about('show', t),
  ],
  [
    /^(?:let me know|tell me|give me a (?:shout|nudge|heads-up)) (?:when|if|once|before|as soon as)\b.*$/,
    () => remind(),
  ],
  [
    /^(?!.* to )(?:remind|(?:remind|ping|notify|alert|nudge|wake|warn|message|email|text|call) me)(?: up)?(?: again)?(?: (?:when|if|before|after|once|every|in|at|on|tomorrow|tonight|later|soon|about it|of it)\b[^,]*)?$/,
    () => remind(),
  ],
  [
    /^(?:set|create|add|make) (?:me )?(?:a |an |the )?(?:reminder|alarm|timer)(?: (?:for|at|on|in) [^,]{1,30}?)?(?: to| for| about|:)? (?<n>[a-z]{2,}.*)$/,
    ({ n }) => remind(n),
  ],
  [
    /^(?:set|create|add|make) (?:me )?(?:a |an |the )?(?:reminder|alarm|timer)\b.*$/,
    () => remind(),
  ],
  [
    /^remind me (?<w>(?:at|on|in|by|tomorrow|tonight|today|next|every|this)\b.*?),? (?:to|that|about) (?<n>.+)$/,
    ({ n, w }) => remind(`${n} ${w}`),
  ],
  [/^remind me(?: to| about| that|:)? (?<n>.+)$/, ({ n }) => remind(n)],
  [
    /^(?:note|notes|details?|description|comment) (?:on|for|to|about) (?<t>.+?): ?(?<d>.+)$/,
    ({ t, d }) => update(t, { description: d }),
  ],

  [
    new RegExp(
      `^(?:mark|set) (?<t>.+?) (?:back )?(?:as |to )?(?:not ${DONE}|undone|incomplete|uncompleted?|open|pending|to-?do)(?: again)?$`,
    ),
    ({ t }) => about('reopen', t),
  ],
  [
    /^(?:undo|take (?:it|that) back|revert)(?: (?:it|that|this|the last (?:change|one)))?$/,
    () => ({ kind: 'undo' }),
  ],
  [
    new RegExp(`^(?<t>.+?) (?:is|are|was|were) ?(?:n't|not) (?:yet )?${DONE}(?: yet)?$`),
    ({ t }) => about('reopen', t),
  ],
  [
    /^(?:i|we) (?:have not|haven't|did not|didn't) (?:finish(?:ed)?|complete(?:d)?|do(?:ne)?) (?<t>.+?)(?: yet)?$/,
    ({ t }) => about('reopen', t),
  ],
  [
    /^(?:re-?open|undo|un-?complete|un-?check|restore)(?: (?<t>.+))?$/,
    ({ t }) => about('reopen', t),
  ],

  [
    /^(?:change|set|update|edit) (?:the )?(?:description|details|notes?) (?:of|for|on) (?<t>.+?) (?:to|as):? (?<d>.+)$/,
    ({ t, d }) => update(t, { description: d }),
  ],
  [
    /^(?:add|put) (?:a |the )?(?:description|details|notes?) (?:to|on) (?<t>.+?): ?(?<d>.+)$/,
    ({ t, d }) => update(t, { description: d }),
  ],
  [
    /^(?:change|set|update|edit) (?:the )?(?:title|name|text) (?:of|for) (?<t>.+?) (?:to|as):? (?<n>.+)$/,
    ({ t, n }) => update(t, { title: n }),
  ],
  [
    /^(?:rename|retitle|reword) (?<t>.+?) (?:to|as|into):? (?<n>.+)$/,
    ({ t, n }) => update(t, { title: n }),
  ],
  [
    /^(?:change|update|edit) (?<t>.+?) (?:to(?: say)?|into):? (?<n>.+)$/,
    ({ t, n }) => update(t, { title: n }, true),
  ],
  [
    /^(?:replace|swap|substitute) (?<t>.+?) (?:with|for|by):? (?<n>.+)$/,
    ({ t, n }) => update(t, { title: n }, true),
  ],
  [
    /^(?<t>(?:task )?#?\d+) should (?:say|be|read|be called):? (?<n>.+)$/,
    ({ t, n }) => update(t, { title: n }),
  ],
  [/^(?:rename|change|update|edit)(?: (?:a|the|my))?(?: (?<t>.+))?$/, ({ t }) => update(t, {})],

  [
    /^(?:i |we |i'm |i am |im |i've |we're )(?:just |now |already |currently )?(?:start(?:ed|ing)?|began|begin|beginning|working|doing|picking up|picked up)(?: (?:work on|working on|on|to|with))? (?<t>.+?)(?: now| today)?$/,
    ({ t }) => plan(t, { state: 'doing' }),
  ],
  [
    new RegExp(
      `^(?:mark|set|check|tick|cross) (?:off )?(?<t>.+?) (?:as |to |off as )?(?:${DONE}|complete|off)$`,
    ),
    ({ t }) => about('complete', t),
  ],
  [
    /^(?:complete|finish|close|check off|tick off|cross off|tick|resolve)(?: (?<t>.+))?$/,
    ({ t }) => about('complete', t),
  ],
  [
    /^(?:i(?:'ve| have)?|we(?:'ve| have)?) (?:just |already )?(?:done|finished|completed|did|took care of|got done)(?: with)? (?<t>.+)$/,
    ({ t }) => about('complete', t),
  ],
  [/^(?:i'm |i am )?done with (?<t>.+)$/, ({ t }) => about('complete', t)],

  [
    new RegExp(
      `^(?:delete|remove|erase|drop|scrap|cancel|discard|get rid of|throw (?:away|out)|take) (?<t>.+?) (?:from|off) ${MY_LIST}$`,
    ),
    ({ t }) => about('delete', t),
  ],
  [
    /^(?:delete|remove|erase|drop|scrap|cancel|discard|get rid of|throw (?:away|out)|clear(?: out)?)(?: (?<t>.+))?$/,
    ({ t }) => about('delete', t),
  ],
  [
    /^(?:i (?:don't|do not|no longer) need|forget about|never ?mind) (?<t>.+?)(?: any ?more)?$/,
    ({ t }) => about('delete', t),
  ],

  [
    new RegExp(
      `^(?:what|which|show|list|display|see|give|tell|view|how many)\\b.*\\b${DONE}\\b.*$`,
    ),
    ({ all = '' }) => ({
      kind: 'list',
      completed: !/\b(?:not|n't|isn't|aren't|to be|left|un)\b/.test(all),
    }),
  ],
  [
    /^(?:what (?:have i|did i) (?:do|done|finish(?:ed)?|complete[d]?|get done)).*$/,
    () => ({ kind: 'list', completed: true }),
  ],
  [
    new RegExp(
      `^(?:what|which|show|list|display|see|give|tell|view|how many)\\b.*(?:${OPEN}|to do\\b|should i do|must i do|next).*$`,
    ),
    () => ({ kind: 'list', completed: false }),
  ],
  [
    new RegExp(
      `^(?:show|list|display|see|view|give|get|read|tell|what(?:'s| is| are)?|which|do i have)\\b.*\\b(?:${TASK}|list|agenda|everything)\\b.*$`,
    ),
    () => ({ kind: 'list' }),
  ],
  [
    new RegExp(
      `^(?:my |all |the )?(?:all )?(?:${OPEN} )?(?:${TASK}|to-?do list|task list|list)\\??$`,
    ),
    ({ all = '' }) =>
      new RegExp(OPEN).test(all) ? { kind: 'list', completed: false } : { kind: 'list' },
  ],
  [
    /^(?:anything|is there anything) (?:left|to do|open|pending).*$/,
    () => ({ kind: 'list', completed: false }),
  ],

  [
    new RegExp(
      `^(?:add|create|make|new|start|set up|enter|register|schedule|i (?:want|need)) (?:me )?(?:a |an |another |the )?(?:new )?${TASK}$`,
    ),
    () => add(),
  ],
  [
    new RegExp(
      `^(?:add|create|make|new|start|set up|enter|register|schedule) (?:me )?(?:a |an |another )?(?:new )?${TASK}(?: called| named| titled| saying| for me)?(?: to| for|:| -| –)? ?(?<n>.+?)(?:,? (?:with (?:the )?(?:description|details|notes?)|description|details):? (?<d>.+))?$`,
    ),
    ({ n, d }) => add(n, d),
  ],
  [
    new RegExp(`^(?:add|put|include|write|place) (?<n>.+?) (?:to|on|onto|in(?:to)?) ${MY_LIST}$`),
    ({ n }) => add(n),
  ],
  [
    /^(?:remember|don't (?:let me )?forget|do not forget|make a note|note|jot down)(?: to| about| that|:)? (?<n>.+)$/,
    ({ n }) => add(n),
  ],
  [/^(?:(?:to-?do|task|note): ?|to-?do )(?<n>.+)$/, ({ n }) => add(n)],
  [/^(?:i |we )?(?:gotta|gonna|wanna|hafta|i'll have to|i should) (?<n>.+)$/, ({ n }) => add(n)],
  [
    /^(?:i|we) (?:need|have|want|ought|must|should|gotta|got|'ve got|have got)(?: to)? (?<n>.+)$/,
    ({ n }) => add(n),
  ],
  [/^i(?:'ve| have) got to (?<n>.+)$/, ({ n }) => add(n)],
  [/^add:? (?<n>.+)$/, ({ n }) => add(n)],

  [
    new RegExp(`^(?<t>.+?) (?:is|are|has been|was|were) (?:now |already |all )?${DONE}$`),
    ({ t }) => about('complete', t),
  ],
  [new RegExp(`^(?<t>#?\\d+|task #?\\d+)(?: is)?,? ${DONE}$`), ({ t }) => about('complete', t)],
  // “I bought the milk”: something done in the past may be a task that is done.
  [
    /^(?:i |we )?(?:just |already |finally )?(?:bought|called|sent|paid|wrote|fixed|cleaned|booked|read|made|got|\w{3,}ed) (?<t>(?:the |my |a )?\w.+)$/,
    ({ t }) => about('complete', t),
  ],
]

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
const MAX_WORDS = 12

/** Everything that a message asks for, in its order: “add milk and delete task 3” is two wishes. */
export function parseIntents(message: string): readonly [Intent, ...Intent[]] {
  // A longer one is a text, not an order: no rule reads it.
  if (message.length > MAX_RULED) return [wholeIntent(message)]
  const thanks = THANKS.exec(message.trim())
  if (thanks) {
    const rest = intentsIn(message.trim().slice(thanks[0].length), new Map())
    return isWish(rest[0]) ? rest : [{ kind: 'thanks' }]
  }
  const several = severalTitles(message)
  if (several) return several
  const [first, ...more] = askedIntent(message) ?? intentsIn(message, new Map())
  if (first.kind === 'unknown' && message.length < MAX_THANKS && THANKED.test(message))
    return [{ kind: 'thanks' }]
  return isQuestion(message) ? [wondered(first), ...more.map(wondered)] : [first, ...more]
}

const THANKS =
  /^(?:ok(?:ay)?|great|perfect|super|ок|окей|отлично|супер|класс|о|ну)?[,.! ]{0,3}(?:many thanks|big thanks|thanks?|thx|tnx|ty|tysm|cheers|thank (?:you|u)|much appreciated|appreciate (?:it|that)|(?:great|good|nice) (?:job|work|one)|well done|awesome|you rock|спасибо|спс|спасиб\p{L}*|пасиб\p{L}*|благодарю|благодарствую|мерси|сенкс|молодец|молодчина|ты лучш\p{L}+)(?!\p{L})[ ,.!:;)]*/iu

const THANKED =
  /(?<!\p{L})(?:thanks|thx|thank (?:you|u)|cheers|appreciate it|спасибо|спс|благодарю)(?!\p{L})/iu
const MAX_THANKS = 80

/** What other parts of the product answer, and tasks by what they are like. */
function askedIntent(message: string): Intents | undefined {
  const said = plain(message)
  const lower = said.toLowerCase()
  const question = questionIn(said)
  const isAboutTasks = question?.kind === 'fate' || question?.kind === 'find'
  if (question && !(isAboutTasks && TASK_WORD.test(lower))) return [question]
  const wanted = BEGINS_LIST.test(lower) && !/\d/.test(lower) ? filterIn(said) : undefined
  return wanted && [{ kind: 'list', plan: wanted }]
}

const TASK_WORD = /(?<!\p{L})(?:tasks?|to-?dos?|задач\p{L}*|дел[аеу]?|туду)(?!\p{L})/u
const BEGINS_LIST =
  /^(?:what|what's|whats|which|show|list|display|see|give|tell|view|any|anything|do i|is there|are there|how many|my|only|just|filter|get|everything|all|urgent|important|high|blocked|stuck|что|ч[её]м|какие|какая|какое|какой|сколько|покажи(?:те)?|выведи|перечисли|есть|список|только|мои|вс[её]|над чем|дай|у меня|отфильтруй|срочн\p{L}+|важн\p{L}+|заблок\p{L}+)(?!\p{L})/u

/** Only where nothing else is said. */
function filterIn(said: string): Pick<Plan, 'state' | 'priority' | 'labels'> | undefined {
  const tagged = labelIn(said)
  const level = levelIn(tagged?.rest ?? said)
  const rest = level?.rest ?? tagged?.rest
  if (rest === undefined || wordsOf(rest).some(isTelling)) return undefined
  return { ...level?.plan, ...(tagged ? { labels: [tagged.label] } : {}) }
}

/** Whether the person asks what is, and not for something to be done. */
export function isQuestion(message: string): boolean {
  const said = plain(message).toLowerCase()
  const isPolite = plain(message) !== message.replace(/\s+/g, ' ').trim() && POLITE.test(message)
  const [first = ''] = wordsOf(said)
  const isOrder = SIGNS.some(([, sign]) => sign.test(first)) && !PAST.test(first)
  if (isOrder || (isPolite && /(?:you|ли|ете|ешь)/iu.test(message.slice(0, 20)))) return false
  return /\?\s*$|(?: или нет| or not| yet)[.?]?\s*$/iu.test(message.trim()) || ASKS.test(said)
}

const ASKS =
  /^(?:is|are|was|were|did|do|does|has|have(?= i| we)|у кого|к кому|чей|чья|what|which|who|when|where|why|how|что|какой|какая|какое|какие|кто|когда|где|почему|зачем|сколько|как)(?!\p{L})/u

/** “Is the milk done?” completes nothing. */
function wondered(intent: Intent): Intent {
  if (intent.kind !== 'complete' && intent.kind !== 'reopen' && intent.kind !== 'delete')
    return intent
  return { kind: 'show', ...(intent.task ? { task: intent.task } : {}) }
}

/** Each rest of a message is read once, however many ways there are to split what is before it. */
function intentsIn(message: string, known: Map<string, Intents>): Intents {
  const before = known.get(message)
  if (before) return before
  const found = severalTasks(byRules(message)) ??
    splitIntents(message, known) ?? [wholeIntent(message)]
  known.set(message, found)
  return found
}

type Intents = readonly [Intent, ...Intent[]]

/** A first wish has fewer joints within itself. */
const MAX_JOINTS = 12

function splitIntents(message: string, known: Map<string, Intents>): Intents | undefined {
  let joints = 0
  for (const { index, 0: joint } of message.matchAll(JOINT)) {
    if (++joints > MAX_JOINTS) return undefined
    const first = byRules(message.slice(0, index))
    const after = message.slice(index + joint.length)
    if (first.kind === 'add' && ENDS_IN_LIST.test(message.slice(0, index)) && isShortTitle(after))
      return [first, add(after.replace(TOO, ''))]
    if (!isWish(first) || isPartOfText(first, after)) continue
    const [second, ...more] = intentsIn(after, known)
    if (isWish(second)) return [first, second, ...more]
  }
  return undefined
}

/** “Put eggs on the list, and bread” */
const ENDS_IN_LIST = /(?:list|tasks|to-dos|список|списка|списке|задачи|дела)$/iu
const TOO = /[ ,]{1,4}(?:too|also|as well|тоже|также)[.!]?$|^(?:also|ещё|еще|и|and) /giu
const MAX_SHORT_TITLE = 4

function isShortTitle(text: string): boolean {
  return (
    wordsOf(text.replace(TOO, '')).length <= MAX_SHORT_TITLE && byRules(text).kind === 'unknown'
  )
}

function wholeIntent(message: string): Intent {
  const whole = plannedAdd(message) ?? byRules(message)
  if (whole.kind === 'unknown') {
    const planned = planIntent(plain(message))
    if (planned) return planned
  }
  return whole.kind === 'unknown' ? guessIntent(plain(message)) : whole
}

const BEGINS_ADD =
  /^(?:add|create|make|new|put|enter|register|need|note|добавь(?:те)?|добавить|создай(?:те)?|создать|заведи|запиши|внеси|новая|новую|поставь|закинь|накинь)(?!\p{L})/iu
const UP_TO_TASK =
  /^(?:\S+ ){1,7}?(?:tasks?|to-?dos?|items?|задач[уи]?|задачк[уи]|дело|пункт)(?![\p{L}])/iu

/** “Add a high priority task to back up the server”: the rank is no part of the title. */
function plannedAdd(message: string): Intent | undefined {
  const said = plain(message)
  if (!BEGINS_ADD.test(said)) return undefined
  const before = UP_TO_TASK.exec(said)?.[0] ?? ''
  const level = levelIn(before)
  const after = said.slice(before.length)
  const cut = Math.max(
    after.lastIndexOf(','),
    after.lastIndexOf(' with '),
    after.lastIndexOf(' с '),
  )
  const tail = cut < 0 ? undefined : levelIn(after.slice(cut))
  const isTail = tail !== undefined && !wordsOf(tail.rest).some(isTelling)
  const body = isTail ? after.slice(0, cut) : after
  const tagged = labelIn(body)
  const isTagged = tagged !== undefined && body.toLowerCase().trim().endsWith(tagged.label)
  if (!level && !isTail && !isTagged) return undefined
  const text = isTagged ? tagged.rest : body
  const intent = byRules(`${level?.rest ?? before} ${text.trim()}`.replace(' :', ':').trim())
  if (intent.kind !== 'add') return undefined
  const labels = isTagged ? { labels: [tagged.label] } : {}
  return { ...intent, plan: { ...(isTail ? tail.plan : {}), ...level?.plan, ...labels } }
}

/** “Make the milk urgent”, “set 4 to low priority”: what is left of the sentence names the task. */
function planIntent(said: string): Intent | undefined {
  const level = levelIn(said)
  if (!level || ASKS.test(said.toLowerCase())) return undefined
  const words = wordsOf(level.rest)
  const number = words.filter((word) => /^\d+$/.test(word))
  const left = number.length === 1 ? number : words.filter(isTelling)
  const isClear = left.length > 0 && left.length <= 3 && !/[,;.]/.test(said)
  return isClear ? plan(left.join(' '), level.plan) : undefined
}

/** The rules compare a message with itself. */
const MAX_RULED = 2_000
const JOINT =
  /(?:,? (?:and then|and also|and|then|also|а потом|и потом|а также|а затем|и затем|затем|потом|и ещё|и еще|и|а)|[;.!?,](?! что )) /giu

function isWish(intent: Intent): boolean {
  return ['add', 'list', 'complete', 'reopen', 'delete', 'update', 'plan', 'show'].includes(
    intent.kind,
  )
}

/** “Add: clean up and remove the trash” is one task; what follows a text must plainly be about tasks. */
function isPartOfText(first: Intent, after: string): boolean {
  if (first.kind !== 'add' && first.kind !== 'update') return false
  return !ABOUT_TASKS.test(after)
}

const ABOUT_TASKS =
  /(?:^|[^\p{L}])(?:tasks?|to-?dos?|list|as (?:done|complete|finished)|#\d+|задач\p{L}*|списк\p{L}*|список|дел[ао]?|выполненн\p{L}*|сделанн\p{L}*)(?:$|[^\p{L}])|^(?:add|remind me|напомни|добавь|покажи|show|what(?:'s| is) left) /iu

/** “Delete tasks 3 and 4” is two wishes. */
function severalTasks(intent: Intent): [Intent, ...Intent[]] | undefined {
  if (intent.kind !== 'complete' && intent.kind !== 'reopen' && intent.kind !== 'delete') return
  const words = intent.task && 'words' in intent.task ? intent.task.words : ''
  if (!/^[#№]?\d{1,15}(?:(?:, ?(?:and |и )?| and | и | )[#№]?\d{1,15})+$/iu.test(words)) return
  const [first, ...more] = (words.match(/\d+/g) ?? []).map((id) => ({
    kind: intent.kind,
    task: { id: Number(id) },
  }))
  return first && [first, ...more]
}

/** The task that a bare answer names. */
export function referenceIn(answer: string): TaskReference | undefined {
  return reference(plain(answer)).task
}

/** Understands everyday wording of the task intents; the words of titles keep their own spelling. */
function byRules(message: string): Intent {
  if (message.length > MAX_RULED) return { kind: 'unknown' }
  const said = plain(message)
  const lower = said.toLowerCase()
  for (const [pattern, intent] of /\p{Script=Cyrillic}/u.test(lower) ? MIXED : englishRules) {
    const match = new RegExp(pattern.source, 'du').exec(lower)
    if (!match) continue
    const groups = Object.entries(match.indices?.groups ?? {}).map(([name, at]) => [
      name,
      at && said.slice(at[0], at[1]).trim(),
    ])
    return intent({ ...Object.fromEntries(groups), all: lower })
  }
  return { kind: 'unknown' }
}

const MIXED = [...russianRules, ...englishRules]

const POLITE =
  /^(?:(?:please|pls|plz|yes|yeah|yep|alright|cool|ага|угу|could you|can you|would you|will you|can we|could we|i'?d like (?:you )?to|i want (?:you )?to(?= (?:add|create|delete|remove|mark|complete|list|see|rename|change|update))|let'?s|just|ok(?:ay)?|hey|hi|secretary|kindly|now|and|then|also|no|actually|well|can i(?= (?:see|have|get))|передумал[аи]?|пожалуйста|плиз|(?:я )?(?:хочу|хотел бы|хотела бы|хотелось бы|прошу(?: тебя| вас)?|можно|нельзя ли|надо|нужно|пора)(?= (?:добав|созда|удал|убра|стере|выкин|заверш|закры|закон|измен|помен|обнов|переимен|исправ|посмотр|показ|отмет|помет|верну|переоткр|откры|очист)\p{L}*)|(?:не )?(?:можешь|можете|сможешь|сможете)(?: ли)?(?: ты| вы)?|не мог(?:ла|ли)? бы (?:ты|вы)|мог(?:ла|ли)? бы (?:ты|вы)|будь(?:те)? (?:добра?|добры|любез\p{L}+)|будь(?:те)? другом|прошу|давай(?:те)?|слушай(?:те)?|секретарь|ну|так|вот|ладно|окей|ок|отлично|супер|итак|кстати|вс[её](?=,)|ещё|еще|также|теперь|и|а|да|ой|эй|нет)[,!]? +)+/iu

function plain(message: string): string {
  const one = message.replaceAll('’', "'").replace(/\s+/g, ' ').trim()
  const bare = one
    .replace(POLITE, '')
    .replace(/^(\p{L}+)-ка(?= )/iu, '$1')
    .replace(/^(\S+?),? (?:пожалуйста|плиз|please),? /i, '$1 ')
    .replace(
      /^((?:добавь|запиши|создай|поставь|внеси|занеси)(?:те)?) (?:ещё|еще|также|мне|туда)(?: и)? /iu,
      '$1 ',
    )
    .replace(
      /(?:(?<![\s,])[\s,]{1,4}(?:please|pls|plz|thanks|thank you|thx|for me|would you|ok|пожалуйста|плиз|спасибо|спс))?[.!?\s]{0,20}$/i,
      '',
    )
  return bare === '' ? one : bare
}

type Action = 'add' | 'list' | 'complete' | 'reopen' | 'delete'

/** What a sentence that fits no rule may still mean: by the stems of its words, the rest naming the task. */
function guessIntent(said: string): Intent {
  const words = said.match(/[#№]?[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []
  if (words.length > MAX_WORDS) return { kind: 'unknown' }
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
  if (kind === 'add')
    return isDenied
      ? { kind: 'unknown' }
      : add(textAfter(said, found[1]) ?? (rest.join(' ') || undefined))
  const number = rest.filter((word) => /^[#№]?\d+$/.test(word))
  const named = number.length > 0 ? number.join(' ') : rest.join(' ')
  if (named === '') return { kind: 'unknown' }
  if (isDenied) return kind === 'complete' ? about('reopen', named) : { kind: 'unknown' }
  return about(kind, named)
}

/** A title keeps its small words. */
function textAfter(said: string, sign: RegExp): string | undefined {
  for (const { 0: word, index } of said.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)) {
    if (!sign.test(word.toLowerCase())) continue
    const after = said
      .slice(index + word.length)
      .replace(/^[\s:,]*(?:(?:to|that|me|мне|нам|ещё|еще|что|в список|туда|задачу) )*/iu, '')
    return after.trim() === '' ? undefined : after.trim()
  }
  return undefined
}

function isFunctionWord(word: string): boolean {
  return FILLER.test(word) || NEGATION.test(word)
}
