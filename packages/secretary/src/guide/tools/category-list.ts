// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { guideFamily } from '../family.ts'
import { category, offset } from '../schemas.ts'

export const categoryList = guideFamily.tool({
  name: 'category_list',
  title: 'List categories',
  effect: 'read',
  description: 'List the categories of this project',
  about: `Use it to see which names get_content takes. A category is a folder of the docroot with patterns that choose documents in it.`,
  arguments: new ToolArguments({ offset }),
  examples: [{ args: {}, shows: 'each category with its folder and patterns' }],
  result: z.object({ categories: z.array(category), total: z.int() }),
  run: ({ offset }, { service, caller }) => service.selections.categories(caller, offset),
})
