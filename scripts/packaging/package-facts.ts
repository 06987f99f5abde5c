import type { Listing } from '@secretary-mcp/core/catalogue.ts'

/** What package.json says: the only place that names the package and where it is published. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly mcpName: string
  readonly description: string
  readonly author: string
  readonly license: string
  readonly keywords: readonly string[]
  readonly engines: { readonly node: string }
}

export interface PackageFacts extends Manifest {
  /** `owner/name` on GitHub, as the registry of servers proves it. */
  readonly repository: string
  readonly tools: readonly Listing[]
}

/** What people see, whatever the package is called. */
export const TITLE = 'Secretary'
/** The command, the server, the plugin and the skill share one name. */
export const NAME = 'secretary'

export function packageFacts(manifest: Manifest, tools: readonly Listing[]): PackageFacts {
  return { ...manifest, repository: manifest.mcpName.replace(/^io\.github\./, ''), tools }
}

export function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
