import { cutText } from '../preview.ts'

/** Words by which people say what shall hold from now on. */
const WISHES = [
  /\b(always|never|don['’]?t|do not|from now on|going forward|in (the )?future|keep|make sure|must(n['’]t)?|avoid|no longer|only use|prefer|instead of)\b/i,
  /(^|[^\p{L}])(всегда|никогда|не надо|не нужно|больше не|отныне|впредь|с этого момента|теперь всегда|обязательно|не трогай|не меняй|не используй|только)([^\p{L}]|$)/iu,
  /(^|[^\p{L}])(immer|nie(mals)?|ab jetzt|künftig|kein(e|en)?|nicht mehr|unbedingt|behalte)([^\p{L}]|$)/iu,
  /(^|[^\p{L}])(toujours|jamais|désormais|à partir de maintenant|ne\s.+\s(pas|plus)|garde)([^\p{L}]|$)/iu,
  /(^|[^\p{L}])(siempre|nunca|de ahora en adelante|a partir de ahora|no (uses|cambies|toques)|mantén)([^\p{L}]|$)/iu,
  /(^|[^\p{L}])(sempre|mai|d['’]ora in poi|a partir de agora|não (use|mude|mexa)|non (usare|toccare))([^\p{L}]|$)/iu,
  /总是|始终|永远|不要|别再|请勿|务必|从现在起|以后/,
  /必ず|常に|決して|今後|しないで|絶対/,
  /항상|절대|앞으로|하지\s?마|반드시/,
]
/** What is said of somebody or asked about, not asked for: "I don't need it", "did we not try this". */
const TOLD =
  /\b(i|we|you|they|it|he|she|that|this|there|who|which|people|users?)\s+(really\s+|still\s+|just\s+)?(don['’]?t|do not|never|always|no longer|keeps?)\b(?!\s+(?:ever|want|like)\b)|\?$|\b(might|maybe|perhaps|could)\b.*\bin (the )?future\b/i
/** The person's own rules also begin so. */
const RULE =
  /\b(we (always|never)|you (must|should|always|never)|i (always|never))\b|\bfrom now on\b/i

/** In a long text, such as a plan or a log, only these stand for themselves. */
const PLAIN =
  /\b(always|never|from now on|going forward)\b|(^|[^\p{L}])(всегда|никогда|отныне|впредь|с этого момента)([^\p{L}]|$)/iu
const LONG_REQUEST = 1500
const LONGEST = 220
const SENTENCE = /[^.!?。！？\n]+(?:[.!?。！？](?!\s|$)[^.!?。！？\n]*)*[.!?。！？]?/g

/** The sentences of a request that ask for something to hold, word for word. */
export function standingWishes(request: string): string[] {
  const sentences = request.match(SENTENCE) ?? []
  const wishes = request.length > LONG_REQUEST ? [PLAIN] : WISHES
  return sentences
    .map((sentence) => sentence.trim().replace(/^[-*•\d.)\s]+(?=\p{L})/u, ''))
    .filter((sentence) => sentence.length > 8 && sentence.length <= 4 * LONGEST)
    .filter((sentence) => wishes.some((wish) => wish.test(sentence)))
    .filter((sentence) => !TOLD.test(sentence) || RULE.test(sentence))
    .map((sentence) => (sentence.length > LONGEST ? `${cutText(sentence, LONGEST)}…` : sentence))
}
