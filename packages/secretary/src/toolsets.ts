import type { Config } from '@secretary-mcp/core/config/config.ts'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Prefixes } from '@secretary-mcp/core/tool.ts'
import { dialogsFamily } from './dialogs/family.ts'

/** What an agent needs every day. Reading files and grep it has itself; the guide is administered by people. */
export const CORE: readonly string[] = [
  'recall',
  'get_request',
  'get_first_request',
  'search_requests',
  'why',
  'ledger',
  'how',
  'context_search',
  'record_discovery',
  'get_content',
  'add_task',
  'list_tasks',
  'complete_task',
  'update_task',
]

interface NamedTool {
  /** Without a prefix. */
  readonly name: string
  readonly family: string
}

/** Says whether a tool belongs to what the setting `tools` names. */
export function offers(chosen: readonly string[]): (tool: NamedTool) => boolean {
  const names = new Set(chosen.flatMap((name) => (name === 'core' ? CORE : [name])))
  return ({ name, family }) => names.has('all') || names.has(family) || names.has(name)
}

/** A name that no tool has would silently offer nothing. */
export function requireKnown(chosen: readonly string[], tools: readonly NamedTool[]): void {
  const known = new Set(['all', 'core', ...tools.flatMap(({ name, family }) => [name, family])])
  const unknown = chosen.filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new Failure(
      'validation_error',
      `No tool or family is called ${unknown.map((name) => JSON.stringify(name)).join(', ')} (setting tools)`,
      {
        instruction: 'Use core, all, a family (dialogs, guide, context, tasks) or names of tools.',
      },
    )
}

/** How this installation names its tools. */
export function prefixesOf({ toolPrefix, dialogPrefix }: Config): Prefixes {
  return { fallback: toolPrefix, families: { [dialogsFamily.name]: dialogPrefix } }
}
