// Template: ./README.md
import * as z from 'zod'
import { ToolArguments } from '../../core/tool-arguments.ts'
import { guideFamily } from '../family.ts'
import { collection, description, items } from '../schemas.ts'

export const collectionChange = guideFamily.tool({
  name: 'collection_change',
  title: 'Change a collection',
  effect: 'write',
  idempotent: true,
  description: "Change a collection's expressions or description",
  arguments: new ToolArguments({ name: z.string().describe('Collection'), categories: items.optional(), description }),
  examples: [{ args: { name: 'backend', categories: ['lang/go', 'testing'] }, shows: 'new parts, the description unchanged' }],
  result: collection,
  run: ({ name, ...fields }, { service, caller }) => service.selections.changeCollection(caller, name, fields),
})
