// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { guideFamily } from '../family.ts'
import { projectRecord } from '../schemas.ts'

export const getProject = guideFamily.tool({
  name: 'get_project',
  title: 'Get the project',
  effect: 'read',
  description: 'Get this project: profiles, categories, flags',
  arguments: new ToolArguments({}),
  examples: [{ args: {}, shows: 'what the guide knows of the project, and which profiles fit it' }],
  result: projectRecord.extend({
    profiles: z.array(z.string()).readonly(),
    detected: z.array(z.string()).readonly(),
    categories: z.array(z.string()).readonly(),
    collections: z.array(z.string()).readonly(),
    flags: z.array(z.string()).readonly(),
    documents: z.int(),
    untrusted: z.array(z.string()).readonly(),
  }),
  run: (_args, { service, caller }) => service.projects.current(caller),
})
