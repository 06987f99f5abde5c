import type { Config } from '@secretary-mcp/core/config/config.ts'
import { noProjectReason } from '@secretary-mcp/core/config/no-project.ts'
import { contextFamily } from '../../context/family.ts'
import { dialogsFamily } from '../../dialogs/family.ts'
import { guideFamily } from '../../guide/family.ts'
import { tasksFamily } from '../../tasks/family.ts'

/** Tools go by the names that this installation gives them: an agent would look for another one in vain. */
const byFamily: Readonly<Record<string, (prefix: string) => string>> = {
  dialogs: (prefix) =>
    `After a compaction, or at the start if no notes of Secretary were given to you, call ${dialogsFamily.finalName('recall', prefix)}: it returns what the person asked, word for word.`,
  guide: (prefix) =>
    `Before you write code, call ${guideFamily.finalName('get_content', prefix)} for the rules of this project.`,
  context: (prefix) =>
    `Call ${contextFamily.finalName('context_search', prefix)} instead of guessing where something is; ${contextFamily.finalName('record_discovery', prefix)} keeps what you learned.`,
  tasks: (prefix) => `Keep what is left to do with ${tasksFamily.finalName('add_task', prefix)}.`,
}

const made = new WeakMap<Config, string>()

/** Short on purpose: a client may put it into every prompt. Made once: over HTTP every request has a server of its own. */
export function instructions(config: Config): string {
  const text = made.get(config) ?? textFor(config)
  made.set(config, text)
  return text
}

function textFor(config: Config): string {
  const { families } = config
  const noContext = noProjectReason(config) !== undefined
  const lines = Object.entries(byFamily)
    .filter(([family]) => families.includes('all') || families.includes(family))
    .filter(([family]) => !(noContext && family === 'context'))
  return [
    'Secretary is your working memory in this project.',
    ...lines.map(([, line]) => line(config.toolPrefix)),
  ].join(' ')
}
