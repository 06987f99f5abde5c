// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { guideFamily } from '../family.ts'
import { category, description, patterns } from '../schemas.ts'

export const categoryAdd = guideFamily.tool({
  name: 'category_add',
  title: 'Add a category',
  effect: 'write',
  isOperators: true,
  description: 'Add a category: a folder of the docroot',
  about: `Use it when the person wants a new name for a set of documents. dir is a folder of the docroot (the name itself where it is omitted), and patterns are globs inside it, such as api* or **/*.md.`,
  arguments: new ToolArguments({
    name: z.string().describe('Name: letters, digits, - and _; at most 30'),
    dir: z.string().optional().describe('Folder in the docroot; its name if omitted'),
    patterns,
    description,
  }),
  examples: [
    {
      args: { name: 'api', dir: 'docs', patterns: ['api*'] },
      shows: 'the API documents of the folder docs as a category',
    },
  ],
  result: category,
  run: ({ name, ...fields }, { service, caller }) =>
    service.selections.addCategory(caller, name, fields),
})
