// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { guideFamily } from '../family.ts'
import { category, description, newName } from '../schemas.ts'

export const categoryChange = guideFamily.tool({
  name: 'category_change',
  title: 'Change a category',
  effect: 'write',
  isOperators: true,
  idempotent: true,
  description: 'Rename a category or change its contents',
  arguments: new ToolArguments({
    name: z.string().describe('Name of the category'),
    new_name: newName,
    dir: z.string().optional().describe('New folder'),
    patterns: z.array(z.string()).optional().describe('New patterns'),
    description,
  }),
  examples: [
    {
      args: { name: 'lang', patterns: ['python', 'go'] },
      shows: 'only these two, where no pattern is given',
    },
    {
      args: { name: 'lang', new_name: 'languages' },
      shows: 'a new name, which collections follow',
    },
  ],
  result: category,
  run: ({ name, ...fields }, { service, caller }) =>
    service.selections.changeCategory(caller, name, fields),
})
