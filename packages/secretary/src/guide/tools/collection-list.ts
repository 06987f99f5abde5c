// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { guideFamily } from '../family.ts'
import { collection, offset } from '../schemas.ts'

export const collectionList = guideFamily.tool({
  name: 'collection_list',
  title: 'List collections',
  effect: 'read',
  description: 'List the collections of this project',
  arguments: new ToolArguments({ offset }),
  examples: [{ args: {}, shows: 'each collection with its expressions' }],
  result: z.object({ collections: z.array(collection), total: z.int() }),
  run: ({ offset }, { service, caller }) => service.selections.collections(caller, offset),
})
