// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { sessionId } from '../dialog-schema.ts'
import { dialogsFamily } from '../family.ts'
import { pinSchema } from '../pins/pins.ts'

export const pinAnswer = z.object({ pin: pinSchema, replaced: z.array(pinSchema).optional() })

export const pinRequest = dialogsFamily.tool({
  name: 'pin_request',
  title: 'Pin a request',
  effect: 'write',
  description: 'Pin what the person wants to hold from now on',
  about: `Use it when the person says "remember this" or asks for something that holds beyond the task at hand. Pinned words come first in every recall of this project, with when and where they were pinned.
text is a sentence of the request, exactly as the person typed it; without it, all that was typed is pinned. A pin that contradicts an earlier one replaces it.`,
  arguments: new ToolArguments({
    text: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe('The sentence, as the person typed it; the whole request if omitted'),
    index: z
      .int()
      .min(1)
      .optional()
      .describe('Position of the request, starting at 1; the latest if omitted'),
    sessionId,
  }),
  examples: [
    {
      args: { text: 'from now on answer in German' },
      shows: 'a sentence of the latest request, pinned',
    },
    { args: { index: 3 }, shows: 'the third request of this dialog, pinned' },
  ],
  result: pinAnswer,
  run: (args, { service, caller, signal }) => service.pins.pin(caller, args, signal),
})
