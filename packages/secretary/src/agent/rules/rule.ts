/** Which task is meant: by its number, its place in the list (0 is the last), words of its title, every one, or the one just spoken of. */
export type TaskReference =
  | { readonly id: number }
  | { readonly position: number }
  | { readonly words: string }
  | { readonly all: true; readonly completed?: true }
  | { readonly it: true }

/** How far a task is, how it ranks and what it is about. */
export interface Plan {
  readonly state?: 'open' | 'doing' | 'blocked'
  readonly priority?: 'high' | 'normal' | 'low'
  readonly labels?: readonly string[]
  readonly lists?: 'add' | 'remove'
}

export type TaskIntent =
  | {
      readonly kind: 'complete' | 'reopen' | 'delete' | 'show'
      readonly task?: TaskReference
      /** The title it had when the person was shown it among others. */
      readonly seen?: string
    }
  | {
      readonly kind: 'update'
      readonly task?: TaskReference
      readonly title?: string
      readonly description?: string
      /** The new title may be meant for the words alone that name the task. */
      readonly inPlace?: true
    }
  | { readonly kind: 'plan'; readonly task?: TaskReference; readonly plan: Plan }

/** What only the dialogs and the project can answer. */
export type Question =
  | { readonly kind: 'why'; readonly file: string; readonly line: number; readonly endLine: number }
  | { readonly kind: 'asked'; readonly words: string; readonly which?: 'first' | 'last' }
  | { readonly kind: 'fate'; readonly words: string }
  | { readonly kind: 'find'; readonly words: string }

export type Intent =
  | TaskIntent
  | Question
  | {
      readonly kind: 'add'
      readonly title?: string
      readonly description?: string
      readonly plan?: Plan
      /** The person hopes to be reminded. */
      readonly isReminder?: true
    }
  | {
      readonly kind: 'list'
      readonly completed?: boolean
      readonly plan?: Pick<Plan, 'state' | 'priority' | 'labels'>
    }
  | {
      readonly kind: 'remind' | 'thanks' | 'unsupported' | 'undo' | 'greeting' | 'help' | 'unknown'
    }

/** What a sentence must look like, and what it then means. */
export type Rule = readonly [RegExp, (match: Record<string, string | undefined>) => Intent]

export const add = (title?: string, description?: string): Intent => ({
  kind: 'add',
  ...(title ? { title: titleOf(title) } : {}),
  ...(description ? { description: unquoted(description) } : {}),
})

export const remind = (title?: string): Intent =>
  title ? { ...add(title), kind: 'add', isReminder: true } : { kind: 'remind' }

export const plan = (words: string | undefined, planned: Plan): Intent => ({
  kind: 'plan',
  ...reference(words),
  plan: planned,
})

export const label = (words: string | undefined, text = '', lists: 'add' | 'remove' = 'add') =>
  plan(words, { labels: labelsOf(text), lists })

/** “home, urgent and garden” */
function labelsOf(text: string): string[] {
  return text
    .split(/,| and | и /)
    .map((one) => unquoted(one.trim().replace(/^#/, '')))
    .filter((one) => one !== '')
}

/** “Remember to cancel the gym” is about the gym. */
function titleOf(text: string): string {
  return unquoted(text.replace(DUTY, '').replace(REMEMBER, ''))
}

const DUTY =
  /^(?:that |что )?(?:(?:i|we|you) (?:should|need to|have to|must|ought to|gotta) |(?:мне |нам )?(?:надо|нужно|пора|стоит|следует) (?:бы )?)/i
const REMEMBER = /^(?:to )?(?:remember|not forget|don't forget|не забыть)(?: to| about|,)? /i

/** Quotes around the whole are the person's way to say where a text begins and ends. */
function unquoted(text: string): string {
  return /^["“„«']([^"“”„«»]+)["”“»']$/u.exec(text)?.[1]?.trim() ?? text
}

export const about = (kind: 'complete' | 'reopen' | 'delete' | 'show', words?: string): Intent => ({
  kind,
  ...reference(words),
})

export const update = (
  words: string | undefined,
  changes: { title?: string; description?: string },
  inPlace = false,
): Intent => ({
  kind: 'update',
  ...reference(words),
  ...Object.fromEntries(Object.entries(changes).map(([key, text]) => [key, unquoted(text)])),
  ...(inPlace && !/\btasks?\b|задач/i.test(words ?? '') ? { inPlace: true } : {}),
})

/** Which task some words mean; none where they only point at one that was not named. */
export function reference(words?: string): { task?: TaskReference } {
  const bare = words
    ?.replace(/^(?:(?:the|my|that|this|a|an|мою|мои|моя|эту|эта|эти|про) )+/i, '')
    .replace(
      /^(?:tasks?|to-?dos?|items?)(?: (?:number|no\.?|called|named|titled|about|to|with id|id))?(?= |$|#)/i,
      '',
    )
    .replace(
      /^(?:задач[аиуе]|задачей|задачи|дело|пункт|запись)(?: (?:номер|под номером|про|о|об|с названием))?(?= |$|#|№)/i,
      '',
    )
    .trim()
    .replace(/^(?:number|no\.?|id|номер) (?=\d)/i, '')
    .replace(/ (?:нужно|надо|можно|пора|уже|я|мы|now|already)$/i, '')
    .replace(/(?<![ ,:;–—-])[ ,:;–—-]+$/, '')
    .replace(/^["'“«]|["'”»]$/g, '')
    .trim()
  if (bare && EVERY.test(bare)) return { task: { all: true } }
  if (bare && EVERY_DONE.test(bare)) return { task: { all: true, completed: true } }
  const named = bare?.replace(/ (?:tasks?|to-?dos?|items?|one|задач[ауи]|дело|пункт)$/i, '')
  if (!named || UNNAMED.test(named)) return {}
  if (POINTING.test(named)) return { task: { it: true } }
  const number = /^[#№]? ?(\d{1,15})(?:-?(?:ю|ую|я|ая|й|ый|ой|ье|ое))?$/iu.exec(named)?.[1]
  if (number) return { task: { id: Number(number) } }
  const position = positionIn(named.toLowerCase())
  if (position !== undefined) return { task: { position } }
  return { task: { words: named.replace(/^to /i, '') } }
}

const UNNAMED = /^(?:one|them|something|их|что-нибудь|задач[ауи]|одну)$/i
const POINTING = /^(?:it|that|this|е[её]|его|это|эту|этот|(?:that|this) one|эт[уа] задач[уа])$/i
const EVERY_DONE =
  /^(?:(?:all|everything|все|вс[её])(?: (?:of |the |my |tasks |that |that's |which |is |are |уже |что |мои |задачи |дела )*)?)?(?:the |my |мои )?(?:done|completed?|finished|closed|сделанн(?:ые|ое)|выполненн(?:ые|ое)|законченн(?:ые|ое)|готов(?:ые|ое)|закрыт(?:ые|ое)|сделано|выполнено|готово)(?: (?:tasks|items|ones|stuff|things|задачи|дела|пункты))?$/i

const EVERY =
  /^(?:all|everything|all (?:of )?(?:the |my )?(?:tasks|to-?dos|items|them)|(?:(?:my|the) )?(?:whole )?list|every (?:single )?(?:task|item|to-?do)|вс[её]|все (?:мои )?(?:задачи|дела|пункты)|весь (?:мой )?список(?: дел| задач)?|(?:мой )?список(?: дел| задач)?|каждую задачу)$/i

const ORDINALS: readonly RegExp[] = [
  /^(?:first|1st|перв\p{L}+)$/u,
  /^(?:second|2nd|втор\p{L}+)$/u,
  /^(?:third|3rd|трет\p{L}+)$/u,
  /^(?:fourth|4th|четв[её]рт\p{L}+)$/u,
  /^(?:fifth|5th|пят(?:ая|ую|ой|ый|ое))$/u,
  /^(?:sixth|6th|шест(?:ая|ую|ой|ое))$/u,
  /^(?:seventh|7th|седьм\p{L}+)$/u,
  /^(?:eighth|8th|восьм\p{L}+)$/u,
  /^(?:ninth|9th|девят(?:ая|ую|ой|ый|ое))$/u,
  /^(?:tenth|10th|десят(?:ая|ую|ой|ый|ое))$/u,
]

/** The place in the list that an ordinal names, counted from 1; 0 is the last. */
function positionIn(word: string): number | undefined {
  if (/^(?:last|latest|newest|последн\p{L}+)$/u.test(word)) return 0
  const place = ORDINALS.findIndex((ordinal) => ordinal.test(word))
  return place < 0 ? undefined : place + 1
}
