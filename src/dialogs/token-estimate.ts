const ASCII_PER_TOKEN = 3.5
const LETTER_PER_TOKEN = 2
const SIGN_TOKENS = 1.2

/**
 * Tokens of a text, estimated without a tokenizer and on the high side for prose and code: 3.5 ASCII characters to a token, 2 of
 * other alphabets, and more than one token for each CJK sign or half of an emoji.
 */
export function estimateTokens(text: string): number {
  let ascii = 0
  let letters = 0
  let signs = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) ascii++
    else if (code < 0x2e80) letters++
    else signs++
  }
  return Math.ceil(ascii / ASCII_PER_TOKEN + letters / LETTER_PER_TOKEN + signs * SIGN_TOKENS)
}

/** The longest beginning of a text that costs at most so many tokens. */
export function fitTokens(text: string, most: number): string {
  if (estimateTokens(text) <= most) return text
  let low = 0
  let high = Math.min(text.length, Math.ceil(most * ASCII_PER_TOKEN))
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (estimateTokens(text.slice(0, middle)) <= most) low = middle
    else high = middle - 1
  }
  return text.slice(0, low)
}
