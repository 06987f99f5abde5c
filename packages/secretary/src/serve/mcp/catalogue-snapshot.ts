import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tool as McpTool } from '@modelcontextprotocol/server'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import { noProjectReason } from '@secretary-mcp/core/config/no-project.ts'
import { withoutLimits } from '@secretary-mcp/core/json-schema.ts'
import { packageRoot } from '@secretary-mcp/core/package-root.ts'
import { prefixedName } from '@secretary-mcp/core/tool.ts'
import { offers, prefixesOf } from '../../toolsets.ts'
import { version } from '../../version.ts'
import { type McpListing, mcpToolOf } from './create-server.ts'

/** A tool in the file that the build makes from the definitions: both descriptions, and its name before the prefix. */
export interface SnapshotTool extends Omit<McpListing, 'description'> {
  readonly family: string
  readonly prefix?: string
  readonly full: string
  readonly compact: string
}

export interface Snapshot {
  readonly version: string
  readonly tools: readonly SnapshotTool[]
}

export const SNAPSHOT_FILE = join('dist', 'catalogue.json')

/**
 * The list of tools without loading a single one: a client waits for it at every start.
 * Undefined where there is no fitting file, as when the sources run unbuilt; the definitions answer then.
 */
export function snapshotTools(config: Config): McpTool[] | undefined {
  const { families, tools: chosen, descriptions, exampleTools } = config
  const snapshot = exampleTools === 'true' ? undefined : readSnapshot()
  if (snapshot?.version !== version) return undefined
  const noContext = noProjectReason(config) !== undefined
  const prefixes = prefixesOf(config)
  return snapshot.tools
    .filter(({ family }) => families.includes('all') || families.includes(family))
    .filter(({ family }) => !(noContext && family === 'context'))
    .filter(offers(chosen))
    .map((tool) =>
      mcpToolOf({
        ...tool,
        name: prefixedName(tool, prefixes),
        description: tool[descriptions],
        inputSchema:
          descriptions === 'compact' ? withoutLimits(tool.inputSchema) : tool.inputSchema,
      }),
    )
}

function readSnapshot(): Snapshot | undefined {
  try {
    return JSON.parse(readFileSync(join(packageRoot(), SNAPSHOT_FILE), 'utf8')) as Snapshot
  } catch {
    return undefined
  }
}
