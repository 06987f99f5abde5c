import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { Listing } from './catalogue.ts'
import { paidText, type TokenCost } from './token-cost.ts'

/** The exact count of `tokenCosts`, for the build and for tests: the tokenizer is large and is not shipped. */
export function countTokenCosts({
  full,
  compact,
}: {
  full: readonly Listing[]
  compact: readonly Listing[]
}): TokenCost[] {
  const cost = (listing: Listing) => countTokens(paidText(listing))
  return full.map((listing, place) => {
    const short = compact[place]
    return { name: listing.name, full: cost(listing), compact: short ? cost(short) : 0 }
  })
}
