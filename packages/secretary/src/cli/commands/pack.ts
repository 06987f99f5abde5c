import { quoteBlock, quoteCode, quoteLine } from '@secretary-mcp/core/quote.ts'
import type { Pack, PackPart } from '../../context/pack/pack-types.ts'
import { contextPackTool } from '../../context/tools/context-pack.ts'
import type { RegisterCommand } from '../command-context.ts'
import { toolCommand } from '../tool-command.ts'
import { indexFirst } from './search.ts'

export const registerPack: RegisterCommand = (program, context) => {
  toolCommand<Pack>(program, context, {
    name: 'pack',
    tool: contextPackTool,
    positional: ['goal...'],
    prepare: (app) => indexFirst(app, context),
    // Markdown, so that it can be handed to an agent as it is.
    isText: true,
    lines: (pack) => [packText(pack)],
  })
}

/** A pack as Markdown. Whatever a file, a person or an agent wrote is quoted, so that no line of it can pass for one of ours. */
export function packText({ goal, parts, left, tokens, message }: Pack): string {
  return [
    `# ${quoteLine(goal.split('\n', 1)[0] ?? '')}`,
    '',
    ...parts.flatMap(partLines),
    ...(left.length > 0
      ? ['## Not included', '', ...left.map((one) => `- ${quoteLine(one)}`), '']
      : []),
    ...(message ? [quoteLine(message)] : []),
    `About ${tokens.toLocaleString('en-GB')} tokens.`,
  ].join('\n')
}

function partLines(part: PackPart): string[] {
  const { kind, title, why, text, file, space } = part
  const about = quoteLine(why)
  if (file === undefined && space === undefined && !text.includes('\n'))
    return [`- ${kind === 'command' ? codeSpan(text) : quoteLine(text)} (${about})`, '']
  const body =
    file === undefined ? quoteBlock(text) : quoteCode(text, /\.(\w{1,20})$/.exec(file)?.[1])
  return [`## ${quoteLine(title)}`, '', `${kind}: ${about}`, '', body, '']
}

function codeSpan(text: string): string {
  const line = quoteLine(text)
  const ticks = '`'.repeat(longestRun(line) + 1)
  const room = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${ticks}${room}${line}${room}${ticks}`
}

/** Of backticks. */
function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
}
