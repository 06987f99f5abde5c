// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { guideFamily } from '../family.ts'
import { collection, description, items, newName } from '../schemas.ts'

export const collectionChange = guideFamily.tool({
  name: 'collection_change',
  title: 'Change a collection',
  effect: 'write',
  isOperators: true,
  idempotent: true,
  description: 'Rename a collection or change its contents',
  arguments: new ToolArguments({
    name: z.string().describe('Name of the collection'),
    new_name: newName,
    categories: items.optional(),
    description,
  }),
  examples: [
    {
      args: { name: 'backend', categories: ['lang/go', 'testing'] },
      shows: 'new parts, the description unchanged',
    },
    {
      args: { name: 'backend', new_name: 'server' },
      shows: 'a new name, which other collections follow',
    },
  ],
  result: collection,
  run: ({ name, ...fields }, { service, caller }) =>
    service.selections.changeCollection(caller, name, fields),
})
