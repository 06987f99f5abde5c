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
    lines: markdownOf,
  })
}

/** Markdown, so that it can be handed to an agent as it is. */
function markdownOf({ goal, parts, left, tokens, message }: Pack): string[] {
  return [
    `# ${goal.split('\n', 1)[0]}`,
    '',
    ...parts.flatMap(partLines),
    ...(left.length > 0 ? ['## Not included', '', ...left.map((one) => `- ${one}`), ''] : []),
    ...(message ? [message] : []),
    `About ${tokens.toLocaleString('en-GB')} tokens.`,
  ]
}

function partLines({ kind, title, why, text, file }: PackPart): string[] {
  if (file === undefined && !text.includes('\n'))
    return [kind === 'command' ? `- \`${text}\` (${why})` : `- ${text} (${why})`, '']
  const fence = '```'
  const body = file ? [fence + (file.split('.').at(-1) ?? ''), text, fence] : [text]
  return [`## ${title}`, '', `${kind}: ${why}`, '', ...body, '']
}
