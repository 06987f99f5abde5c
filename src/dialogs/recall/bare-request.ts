import { cutText } from '../preview.ts'

const BARE =
  /^\W*(y|yes|yep|yeah|ok(ay)?|sure|go( on| ahead| for it)?|continue|proceed|do it|please( do)?|next|right|correct|good|great|perfect|thanks?|lgtm|approved?|[1-9]|да|ок|ага|давай|продолжай|хорошо|дальше|ja|weiter|oui|vas-y|sí|si|dale|sim|好的?|继续|可以|はい|続けて|네|계속)\W*$/i
const LONGEST_BARE = 40
const LONGEST_QUESTION = 200

/** Words that mean nothing without what they answer. */
export function isBare(request: string): boolean {
  return request.length <= LONGEST_BARE && BARE.test(request)
}

/** What the agent asked last, or its last words. */
export function questionIn(answer: string): string | undefined {
  const lines = answer
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const line = lines.findLast((one) => one.includes('?')) ?? lines.at(-1)
  return line === undefined ? undefined : cutText(line, LONGEST_QUESTION)
}
