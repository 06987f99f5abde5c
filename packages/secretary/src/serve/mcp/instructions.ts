import type { Config } from '@secretary-mcp/core/config/config.ts'
import { noProjectReason } from '@secretary-mcp/core/config/no-project.ts'
import type { Prefixes } from '@secretary-mcp/core/tool.ts'
import { contextFamily } from '../../context/family.ts'
import { dialogsFamily } from '../../dialogs/family.ts'
import { guideFamily } from '../../guide/family.ts'
import { tasksFamily } from '../../tasks/family.ts'
import { offers, prefixesOf } from '../../toolsets.ts'

interface Advice {
  readonly family: string
  /** Of the tool that it is about; it is given if that tool is offered. */
  readonly name: string
  text(prefixes: Prefixes): string
}

/** Tools go by the names that this installation gives them: an agent would look for another one in vain. */
const ADVICE: readonly Advice[] = [
  {
    family: 'dialogs',
    name: 'recall',
    text: (prefixes) =>
      `After a compaction, or at the start if no notes of Secretary were given to you, call ${dialogsFamily.finalName('recall', prefixes)}: it returns what the person asked, word for word.`,
  },
  {
    family: 'guide',
    name: 'get_content',
    text: (prefixes) =>
      `Before you write code, call ${guideFamily.finalName('get_content', prefixes)} for the rules of this project.`,
  },
  {
    family: 'context',
    name: 'context_search',
    text: (prefixes) =>
      `Call ${contextFamily.finalName('context_search', prefixes)} instead of guessing where something is; ${contextFamily.finalName('record_discovery', prefixes)} keeps what you learned.`,
  },
  {
    family: 'tasks',
    name: 'add_task',
    text: (prefixes) =>
      `Keep what is left to do with ${tasksFamily.finalName('add_task', prefixes)}.`,
  },
]

const made = new WeakMap<Config, string>()

/** Short on purpose: a client may put it into every prompt. Made once: over HTTP every request has a server of its own. */
export function instructions(config: Config): string {
  const text = made.get(config) ?? textFor(config)
  made.set(config, text)
  return text
}

function textFor(config: Config): string {
  const { families, tools } = config
  const prefixes = prefixesOf(config)
  const noContext = noProjectReason(config) !== undefined
  const fitting = ADVICE.filter(
    ({ family }) => families.includes('all') || families.includes(family),
  )
    .filter(({ family }) => !(noContext && family === 'context'))
    .filter(offers(tools))
  return [
    'Secretary is your working memory in this project.',
    ...fitting.map(({ text }) => text(prefixes)),
  ].join(' ')
}
