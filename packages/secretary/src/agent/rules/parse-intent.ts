import { englishRules } from './english-rules.ts'
import { guessIntent } from './guess-intent.ts'
import type { Intent, TaskReference } from './intent.ts'
import { reference } from './reference.ts'
import { russianRules } from './russian-rules.ts'

/** Everything that a message asks for, in its order: “add milk and delete task 3” is two wishes. */
export function parseIntents(message: string): readonly [Intent, ...Intent[]] {
  // A longer one is a text, not an order: no rule reads it.
  return message.length > MAX_RULED ? [wholeIntent(message)] : intentsIn(message, new Map())
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
    if (!isWish(first) || isPartOfText(first, after)) continue
    const [second, ...more] = intentsIn(after, known)
    if (isWish(second)) return [first, second, ...more]
  }
  return undefined
}

function wholeIntent(message: string): Intent {
  const whole = byRules(message)
  return whole.kind === 'unknown' ? guessIntent(plain(message)) : whole
}

/** The rules compare a message with itself. */
const MAX_RULED = 2_000
const JOINT =
  /(?:,? (?:and then|and also|and|then|also|а потом|и потом|а также|а затем|и затем|затем|потом|и ещё|и еще|и|а)|[;.!?,](?! что )) /giu

function isWish(intent: Intent): boolean {
  return ['add', 'list', 'complete', 'reopen', 'delete', 'update'].includes(intent.kind)
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
  /^(?:(?:please|could you|can you|would you|will you|can we|could we|i'?d like (?:you )?to|i want (?:you )?to(?= (?:add|create|delete|remove|mark|complete|list|see|rename|change|update))|let'?s|just|ok(?:ay)?|hey|hi|secretary|kindly|now|and|then|also|no|actually|well|can i(?= (?:see|have|get))|передумал[аи]?|пожалуйста|(?:я )?(?:хочу|хотел бы|хотела бы|хотелось бы|прошу(?: тебя| вас)?|можно|нельзя ли|надо|нужно|пора)(?= (?:добав|созда|удал|убра|стере|выкин|заверш|закры|закон|измен|помен|обнов|переимен|исправ|посмотр|показ|отмет|помет|верну|переоткр|откры|очист)\p{L}*)|(?:не )?(?:можешь|можете|сможешь|сможете)(?: ли)?(?: ты| вы)?|не мог(?:ла|ли)? бы (?:ты|вы)|мог(?:ла|ли)? бы (?:ты|вы)|будь(?:те)? (?:добра?|добры|любез\p{L}+)|будь(?:те)? другом|прошу|давай(?:те)?|слушай(?:те)?|секретарь|ну|так|вот|ладно|окей|ок|отлично|супер|итак|кстати|вс[её](?=,)|ещё|еще|также|теперь|и|а|да|ой|эй|нет)[,!]? +)+/iu

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
      /(?<![\s,])[\s,]{0,4}(?:please|thanks|thank you|for me|would you|ok|пожалуйста|плиз|спасибо)?[.!?\s]{0,20}$/i,
      '',
    )
  return bare === '' ? one : bare
}
