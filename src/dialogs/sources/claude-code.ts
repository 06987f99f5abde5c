import { basename, join } from 'node:path'
import type { Places } from '../places.ts'
import { filesBelow } from '../reading/files.ts'
import { type JsonObject, listOf, objectOf, textOf, timeOf } from '../reading/loose-json.ts'
import type { Entry, LineFormat } from '../reading/transcript.ts'
import type { Source } from '../source.ts'
import { lineSource } from './line-source.ts'

/** `<config>/projects/<slug>/<session>.jsonl`; files named `agent-*` are an agent talking to itself. */
export function claudeCode({ home, claudeConfig }: Places): Source {
  const root = join(claudeConfig ?? join(home, '.claude'), 'projects')
  return lineSource({
    name: 'claude-code',
    fits: (client) => /claude/i.test(client),
    list: (context) =>
      filesBelow(root, (name) => name.endsWith('.jsonl') && !name.startsWith('agent-'), context),
    format,
  })
}

const format: LineFormat = {
  // A tool's result also comes under the user's name; it is the bulk of a transcript and never a request.
  matters: (line) =>
    (line.includes('"user"') && !line.includes('"tool_use_id"')) ||
    line.includes('"end_turn"') ||
    line.includes('"queued_command"') ||
    line.includes('"summary"') ||
    line.includes('"custom-title"'),
  isAnswer: (line) => line.includes('"assistant"') && line.includes('"text"'),
  sessionIdOf: (path) => basename(path, '.jsonl'),
  interpret: (line) => interpret(objectOf(line)),
}

function interpret(line: JsonObject): Entry | undefined {
  const about = {
    time: timeOf(line.timestamp),
    project: textOf(line.cwd),
  }
  if (line.isSidechain === true) return undefined
  if (line.type === 'summary') return { title: textOf(line.summary) }
  if (line.type === 'custom-title') return { title: textOf(line.customTitle) }
  const message = objectOf(line.message)
  if (line.type === 'assistant') return { ...about, ...answerOf(message) }
  if (line.type === 'attachment') return requestOf(about, objectOf(line.attachment), line)
  if (line.type !== 'user') return undefined
  if (
    line.isMeta === true ||
    line.isCompactSummary === true ||
    line.isVisibleInTranscriptOnly === true
  )
    return about
  return request(about, typedText(message.content))
}

function requestOf(about: Entry, attachment: JsonObject, line: JsonObject): Entry | undefined {
  if (
    attachment.type !== 'queued_command' ||
    line.isMeta === true ||
    attachment.commandMode === 'task-notification'
  )
    return undefined
  return request(about, typedText(attachment.prompt))
}

function request(about: Entry, text: string | undefined): Entry {
  if (text?.startsWith('[Request interrupted')) return { ...about, status: 'canceled' }
  if (text === undefined || NOT_TYPED.test(text)) return about
  return { ...about, status: 'in_progress', request: slashCommand(text) ?? text }
}

const NOT_TYPED =
  /^(This session is being continued|<local-command-|<task-notification>|<teammate-message|Stop hook feedback:|<bash-std|Caveat: The messages below)/
const LEADING_BLOCK = /^\s*<(system-reminder|ide_opened_file|ide_selection)>[\s\S]*?<\/\1>\s*/
const TRAILING_REMINDER =
  /\s*<system-reminder>(?:(?!<system-reminder>)[\s\S])*<\/system-reminder>\s*$/

function typedText(content: unknown): string | undefined {
  if (typeof content === 'string') return withoutBlocks(content)
  const blocks = listOf(content).map(objectOf)
  if (blocks.some(({ type }) => type === 'tool_result')) return undefined
  const texts = blocks
    .filter(({ type }) => type === 'text')
    .map(({ text }) => withoutBlocks(String(text ?? '')))
  const typed = texts.filter((text) => text !== undefined).join('\n')
  if (typed !== '') return typed
  return blocks.some(({ type }) => type === 'image') ? '[image]' : undefined
}

function withoutBlocks(text: string): string | undefined {
  let rest = text
  for (let block = LEADING_BLOCK.exec(rest); block; block = LEADING_BLOCK.exec(rest))
    rest = rest.slice(block[0].length)
  if (rest.endsWith('</system-reminder>')) rest = rest.replace(TRAILING_REMINDER, '')
  return rest.trim() === '' ? undefined : rest
}

/** What the person typed, from the form into which Claude Code expands it. */
function slashCommand(text: string): string | undefined {
  const inner = (tag: string) => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1]?.trim()
  if (text.startsWith('<bash-input>')) return `! ${inner('bash-input') ?? ''}`
  if (!/^\s*<command-(name|message)>/.test(text)) return undefined
  const name = inner('command-name')
  return (
    name &&
    [name.startsWith('/') ? name : `/${name}`, inner('command-args')].filter(Boolean).join(' ')
  )
}

function answerOf(message: JsonObject): Entry {
  const texts = listOf(message.content)
    .map(objectOf)
    .filter(({ type }) => type === 'text')
    .map(({ text }) => String(text ?? ''))
  return {
    answer: textOf(texts.join('\n').trim()),
    modelId: textOf(message.model),
    ...(message.stop_reason === 'end_turn' ? { status: 'completed' as const } : {}),
  }
}
