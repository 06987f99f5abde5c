import { findPrivateKeys } from './files/private-keys.ts'
import { findCommandSecrets, findNotations } from './secrets/command-secrets.ts'
import { findKnownForms, findWebTokens } from './secrets/known-forms.ts'
import { findNamedValues } from './secrets/named-values.ts'
import { findPublicTexts, findRandom, isWithin } from './secrets/random-texts.ts'
import { findLongRuns, hideSpans, type Span } from './secrets/span.ts'
import { findUrlSecrets } from './secrets/url-secrets.ts'

/** Raised when more is taken out: what is stored is looked through again. */
export const REDACTION_RULES = 4

/** As far behind a cut as a secret is looked for that begins before it. */
const REACH = 4_000

/** Text as it may be kept: secrets become `[redacted:kind]`. Takes time in proportion to the text, whatever is in it. */
export function redact(text: string): string {
  return text.length < 8 ? text : hideSpans(text, findSecrets(text))
}

/**
 * The beginning of a text, redacted, without reading the rest: for logs and previews. A secret that the cut goes through
 * is recognized as a whole, and nothing behind the cut is shown.
 */
export function redactBeginning(text: string, length: number): string {
  if (text.length <= length) return redact(text)
  const read = text.slice(0, length + REACH)
  return hideSpans(read, findSecrets(read), length)
}

/** The same for every text inside a value. */
export function redactIn<T>(value: T): T
export function redactIn(value: unknown): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((one) => redactIn(one))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, redactIn(one)]))
}

/** Every finder reads the text once; the surest comes first. */
function findSecrets(given: string): Span[] {
  const text = withLineEnds(given)
  const runs = findLongRuns(text)
  const open = findPublicTexts(text)
  const isHidden = (span: Span) => !isWithin(span, open)
  return [
    ...findPrivateKeys(text),
    ...findWebTokens(text).filter(isHidden),
    ...findKnownForms(text, runs).filter(isHidden),
    ...findUrlSecrets(text),
    ...findCommandSecrets(text),
    ...findNotations(text),
    ...findNamedValues(text),
    ...findRandom(text, runs).filter(isHidden),
  ]
}

/** Escaped ends of lines as ends of lines, with as many signs, so that what is found is where it was. */
function withLineEnds(text: string): string {
  return text.includes('\\') ? text.replace(/\\[nrt]/g, ' \n') : text
}
