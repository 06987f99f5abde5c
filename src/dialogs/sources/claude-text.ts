import { type JsonObject, listOf, objectIn, objectOf } from '../reading/loose-json.ts'

/** Texts under the person's name that the program wrote. */
const NOT_TYPED =
  /^\s*(This session is being continued|<local-command-|<task-notification>|<ci-monitor-event>|<teammate-message|Stop hook feedback:|<bash-std|Caveat: The messages below|\{"task_id":)/
const LEADING_BLOCK = /^\s*<(system-reminder|ide_opened_file|ide_selection)>[\s\S]*?<\/\1>\s*/
const TRAILING_REMINDER =
  /\s*<system-reminder>(?:(?!<system-reminder>)[\s\S])*<\/system-reminder>\s*$/
const OF_THE_LEAD =
  /^\s*<teammate-message teammate_id="team-lead"[^>]*>([\s\S]*?)<\/teammate-message>/

export function isTyped(text: string): boolean {
  return !NOT_TYPED.test(text)
}

/** What the lead of a team asks a helper: in the helper's own dialog nobody else asks anything. */
export function leadsWords(text: string): string | undefined {
  const words = OF_THE_LEAD.exec(text)?.[1]?.trim()
  if (!words?.startsWith('{')) return words || undefined
  const { type, subject, description } = objectIn(words)
  if (type !== 'task_assignment') return undefined
  return [subject, description].filter((part) => typeof part === 'string').join('\n\n')
}

/** The text of a record without what the program put around it. */
export function ownText(content: unknown): string | undefined {
  if (typeof content === 'string') return withoutBlocks(content)
  const blocks = listOf(content).map(objectOf)
  const texts = blocks
    .filter(({ type }) => type === 'text')
    .map(({ text }) => withoutBlocks(String(text ?? '')))
  const own = texts.filter((text) => text !== undefined).join('\n')
  if (own !== '') return own
  return !holdsResult(blocks) && blocks.some(({ type }) => type === 'image') ? '[image]' : undefined
}

export function holdsResult(content: unknown): boolean {
  return listOf(content).some((block) => objectOf(block).type === 'tool_result')
}

function withoutBlocks(text: string): string | undefined {
  let rest = text
  for (let block = LEADING_BLOCK.exec(rest); block; block = LEADING_BLOCK.exec(rest))
    rest = rest.slice(block[0].length)
  if (rest.endsWith('</system-reminder>')) rest = rest.replace(TRAILING_REMINDER, '')
  return rest.trim() === '' ? undefined : rest
}

/** What the person typed, from the form into which Claude Code expands it. */
export function slashCommand(text: string): string | undefined {
  const inner = (tag: string) => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1]?.trim()
  if (text.startsWith('<bash-input>')) return `! ${inner('bash-input') ?? ''}`
  if (!/^\s*<command-(name|message)>/.test(text)) return undefined
  const name = inner('command-name')
  return (
    name &&
    [name.startsWith('/') ? name : `/${name}`, inner('command-args')].filter(Boolean).join(' ')
  )
}

/** Newer versions say who sent a record; older ones say nothing. */
export function isFromPerson({ origin, promptSource, isMeta }: JsonObject): boolean {
  const { kind } = objectOf(origin)
  return (kind === undefined || kind === 'human') && promptSource !== 'system' && isMeta !== true
}
