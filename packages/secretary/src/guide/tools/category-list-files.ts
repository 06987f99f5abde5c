// Template: ./README.md
import * as z from 'zod'
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import { listFiles } from '../category-files.ts'
import { guideFamily } from '../family.ts'

export const categoryListFiles = guideFamily.tool({
  name: 'category_list_files',
  title: 'List documents of a category',
  effect: 'read',
  description: 'List the documents of a category',
  arguments: new ToolArguments({
    name: z.string().describe('Category'),
    pattern: z.string().optional().describe('Glob inside the folder'),
    offset: z.int().min(0).default(0).describe('Documents to skip'),
  }),
  examples: [{ args: { name: 'lang' }, shows: 'the address and description of each document' }],
  result: z.object({
    files: z.array(z.object({ uri: z.string(), layer: z.string(), description: z.string() })),
    total: z.int(),
  }),
  run: async (asked, { service, caller }) => listFiles(await service.open(caller), asked),
})
