import { Lexer, type MarkedToken, type Token } from 'marked'

/** A hostile document would take the lexer hours: marks in such places are shown instead of looked for. */
const TOO_DEEP = /^(?:[ \t]*(?:[>+*-]|\d{1,9}[.)])){40}/m
const MAX_PARAGRAPH = 20_000
const MAX_MARKS = 300
const BUDGET_MS = 150

/** Markdown as data: what a document says, before anybody decides how it looks. */
export function lex(source: string): MarkedToken[] {
  const text = source.replaceAll(/\r\n?/g, '\n')
  if (TOO_DEEP.test(text)) return [asWords(text)]
  const lexer = new Lexer({ gfm: true })
  lexer.blockTokens(text, lexer.tokens)
  const end = performance.now() + BUDGET_MS
  for (const { src, tokens } of lexer.inlineQueue)
    if (isHard(src) || performance.now() > end) tokens.push(asWords(src))
    else lexer.inlineTokens(src, tokens)
  return known(lexer.tokens)
}

/** Nothing extends the lexer here, so it makes no tokens but its own. */
export function known(tokens: Token[] | undefined): MarkedToken[] {
  return (tokens ?? []) as MarkedToken[]
}

/** Whether pressing it can run nothing. */
export function isSafeAddress(to: string): boolean {
  return /^(https?:|mailto:|guide:|task:\d+$|file:[\w@.-][\w@./:-]*$)/i.test(to)
}

function isHard(src: string): boolean {
  return src.length > MAX_PARAGRAPH || (src.match(/[*_[\]`~]/g)?.length ?? 0) > MAX_MARKS
}

function asWords(text: string): MarkedToken {
  return { type: 'text', raw: text, text, escaped: false }
}
