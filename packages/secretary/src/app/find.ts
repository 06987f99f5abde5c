import type { Context } from '../context/context.ts'
import { contextFamily } from '../context/family.ts'
import type { DecoratedTool } from '@secretary-mcp/core/ext-mcp-tool-decorator.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Dialogs } from '../dialogs/dialogs.ts'
import { dialogsFamily } from '../dialogs/family.ts'
import { type FoundGroup, findAll } from '../find/find.ts'
import type { Finder } from '../find/find-types.ts'
import { parseWanted } from '../find/parse-wanted.ts'
import { guideFamily } from '../guide/family.ts'
import type { Guide } from '../guide/guide.ts'
import { tasksFamily } from '../tasks/family.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { decisionFinder, fileFinder, symbolFinder } from './finders/context-finders.ts'
import { answerFinder, commandFinder, requestFinder } from './finders/dialog-finders.ts'
import { documentFinder, taskFinder, toolFinder } from './finders/house-finders.ts'

interface Parts {
  readonly tasks: Tasks
  readonly guide: Guide
  readonly dialogs: Dialogs
  readonly context: Context
  readonly tools: ReadonlyMap<string, DecoratedTool>
  readonly log: Log
}

export interface FoundAnswer {
  readonly words: string
  readonly groups: FoundGroup[]
  readonly note?: string
}

/** A family that is off has nothing to find. */
export function createFind(parts: Parts) {
  const { tasks, guide, dialogs, context, tools, log } = parts
  const families = new Set([...tools.values()].map(({ tool }) => tool.family))
  const finders: Finder[] = [toolFinder(tools)]
  if (families.has(dialogsFamily.name)) finders.push(requestFinder(dialogs), commandFinder(dialogs))
  if (families.has(tasksFamily.name)) finders.push(taskFinder(tasks))
  if (families.has(guideFamily.name)) finders.push(documentFinder(guide))
  if (families.has(contextFamily.name))
    finders.push(
      answerFinder(dialogs, context),
      decisionFinder(context, async (sessions) => {
        const found = await Promise.all(
          sessions.map((session) => dialogs.store.findBySession(session)),
        )
        return new Set(found.flat().map(({ sessionId }) => sessionId))
      }),
      fileFinder(context),
      symbolFinder(context),
    )
  return async (
    caller: Caller,
    asked: { readonly typed: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<FoundAnswer> => {
    const groups = await findAll({ finders, log }, caller, asked, signal)
    const unread = families.has(dialogsFamily.name) ? dialogs.unreadFor(caller) : {}
    return { words: parseWanted(asked.typed, asked.limit).words, groups, ...unread }
  }
}
