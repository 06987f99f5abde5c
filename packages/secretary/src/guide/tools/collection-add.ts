// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { guideFamily } from '../family.ts'
import { collection, description, items } from '../schemas.ts'

export const collectionAdd = guideFamily.tool({
  name: 'collection_add',
  title: 'Add a collection',
  effect: 'write',
  isOperators: true,
  description: 'Add a collection: expressions under one name',
  about: `Use it when several categories are often wanted together. An item is an expression such as lang/python, testing, or another collection; a cycle does no harm.`,
  arguments: new ToolArguments({
    name: z.string().describe('Name: letters, digits, - and _; at most 30'),
    categories: items,
    description,
  }),
  examples: [
    {
      args: { name: 'backend', categories: ['lang/go', 'security', 'docs/api'] },
      shows: 'three parts under one name',
    },
  ],
  result: collection,
  run: ({ name, ...fields }, { service, caller }) =>
    service.selections.addCollection(caller, name, fields),
})
