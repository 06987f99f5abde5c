import type { Listing } from './catalogue.ts'

export interface TokenCost {
  readonly name: string
  readonly full: number
  readonly compact: number
}

/** What a client pays for each tool: o200k tokens of name, description and schema. The tokenizer is large and loads only here. */
export async function tokenCosts({
  full,
  compact,
}: {
  full: readonly Listing[]
  compact: readonly Listing[]
}): Promise<TokenCost[]> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  const cost = ({ name, description, inputSchema }: Listing) =>
    countTokens(JSON.stringify({ name, description, input_schema: inputSchema }))
  return full.map((listing, place) => {
    const short = compact[place]
    return { name: listing.name, full: cost(listing), compact: short ? cost(short) : 0 }
  })
}
