import type { Config } from '@secretary-mcp/core/config/config.ts'
import type { Prefixes } from '@secretary-mcp/core/tool.ts'
import { dialogsFamily } from './dialogs/family.ts'

/** How this installation names its tools. */
export function prefixesOf({ toolPrefix, dialogPrefix }: Config): Prefixes {
  return { fallback: toolPrefix, families: { [dialogsFamily.name]: dialogPrefix } }
}
