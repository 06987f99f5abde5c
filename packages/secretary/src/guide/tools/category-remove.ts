// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { guideFamily } from '../family.ts'

export const categoryRemove = guideFamily.tool({
  name: 'category_remove',
  title: 'Remove a category',
  effect: 'write',
  isOperators: true,
  description: 'Remove a category from this project; keep files',
  arguments: new ToolArguments({ name: z.string().describe('Name of the category') }),
  examples: [{ args: { name: 'framework' }, shows: 'the category is gone, its documents are not' }],
  result: z.object({ removed: z.string() }),
  run: ({ name }, { service, caller }) => service.selections.remove(caller, 'category', name),
})
