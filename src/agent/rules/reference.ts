import type { TaskReference } from './intent.ts'

/** Which task some words mean; none where they only point at one that was not named. */
export function reference(words?: string): { task?: TaskReference } {
  const bare = words
    ?.replace(/^(?:(?:the|my|that|this|a|an|мою|моя|эту|эта|про) )+/i, '')
    .replace(
      /^(?:tasks?|to-?dos?|items?)(?: (?:number|no\.?|called|named|titled|about|to|with id|id))?(?= |$|#)/i,
      '',
    )
    .replace(
      /^(?:задач[аиуеу]|задачей|дело|пункт|запись)(?: (?:номер|под номером|про|о|об|с названием))?(?= |$|#|№)/i,
      '',
    )
    .trim()
    .replace(/^(?:number|no\.?|id|номер) (?=\d)/i, '')
    .replace(/ (?:task|to-?do|item)$/i, '')
    .replace(/^["'“«]|["'”»]$/g, '')
    .trim()
  if (!bare || POINTING.test(bare)) return {}
  const number = /^[#№]? ?(\d{1,15})$/.exec(bare)?.[1]
  return { task: number ? { id: Number(number) } : { words: bare.replace(/^to /i, '') } }
}

const POINTING = /^(?:it|that|this|one|them|something|е[её]|его|это|эту|этот|их|что-нибудь)$/i
