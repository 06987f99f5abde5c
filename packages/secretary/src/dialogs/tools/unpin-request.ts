// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { dialogsFamily } from '../family.ts'
import { pinSchema } from '../pins/pins.ts'

export const unpinRequest = dialogsFamily.tool({
  name: 'unpin_request',
  title: 'Unpin a request',
  effect: 'write',
  description: 'Remove a pin, when the person takes it back',
  about: `Use it only when the person no longer wants something to hold. The request itself stays in its dialog.`,
  arguments: new ToolArguments({ id: z.int().min(1).describe('ID of the pin to remove') }),
  examples: [{ args: { id: 4 }, shows: 'pin 4 is gone' }],
  result: z.object({ pin: pinSchema }),
  run: ({ id }, { service, caller }) => service.pins.unpin(caller, id),
})
