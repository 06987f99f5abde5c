import { packText } from '../../context/pack/pack-text.ts'
import type { Pack } from '../../context/pack/pack-types.ts'
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
