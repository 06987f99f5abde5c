// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { guideFamily } from '../family.ts'

export const collectionRemove = guideFamily.tool({
  name: 'collection_remove',
  title: 'Remove a collection',
  effect: 'write',
  isOperators: true,
  description: 'Remove a collection from this project',
  arguments: new ToolArguments({ name: z.string().describe('Name of the collection') }),
  examples: [
    { args: { name: 'backend' }, shows: 'the collection is gone, its categories are not' },
  ],
  result: z.object({ removed: z.string() }),
  run: ({ name }, { service, caller }) => service.selections.remove(caller, 'collection', name),
})
