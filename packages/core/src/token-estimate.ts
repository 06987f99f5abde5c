const ASCII_LETTERS_PER_TOKEN = 3.5
const OTHERS_PER_TOKEN = 2
const SIGN_TOKENS = 1.2

/**
 * Tokens of a text, estimated without a tokenizer and on the high side for prose and code: 3.5 ASCII letters or spaces to a token,
 * 2 digits, punctuation marks or letters of other alphabets, and more than one token for each CJK sign or half of an emoji.
 */
export function estimateTokens(text: string): number {
  let plain = 0
  let others = 0
  let signs = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x2e80) signs++
    else if (code === 0x20 || (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a))
      plain++
    else others++
  }
  return Math.ceil(
    plain / ASCII_LETTERS_PER_TOKEN + others / OTHERS_PER_TOKEN + signs * SIGN_TOKENS,
  )
}

/** The longest beginning of a text that fits into a number of tokens. */
export function fitTokens(text: string, most: number): string {
  if (estimateTokens(text) <= most) return text
  let low = 0
  let high = Math.min(text.length, Math.ceil(most * ASCII_LETTERS_PER_TOKEN))
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (estimateTokens(text.slice(0, middle)) <= most) low = middle
    else high = middle - 1
  }
  return text.slice(0, low)
}
