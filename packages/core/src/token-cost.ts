import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Listing, listingOf } from './catalogue.ts'
import type { DecoratedTool } from './ext-mcp-tool-decorator.ts'
import { packageRoot } from './package-root.ts'
import { estimateTokens } from './token-estimate.ts'

export interface TokenCost {
  readonly name: string
  readonly full: number
  readonly compact: number
}

/** Made by the build, by the tools' names without a prefix. */
export type CountedCosts = Readonly<Record<string, Omit<TokenCost, 'name'>>>

/**
 * What a client pays for each tool: o200k tokens of name, description and schema, as counted when this was built.
 * Estimated for a tool that the build does not know.
 */
export function tokenCosts(tools: Iterable<DecoratedTool>): TokenCost[] {
  const counted = readCounted()
  return [...tools].map((one) => ({
    name: one.name,
    ...(counted[one.tool.name] ?? {
      full: estimateTokens(paidText(listingOf(one, 'full'))),
      compact: estimateTokens(paidText(listingOf(one, 'compact'))),
    }),
  }))
}

export function paidText({ name, description, inputSchema }: Listing): string {
  return JSON.stringify({ name, description, input_schema: inputSchema })
}

function readCounted(): CountedCosts {
  try {
    return JSON.parse(readFileSync(join(packageRoot(), 'dist', 'token-costs.json'), 'utf8'))
  } catch {
    return {}
  }
}
