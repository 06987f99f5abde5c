// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { guideFamily } from '../family.ts'

export const listProfiles = guideFamily.tool({
  name: 'list_profiles',
  title: 'List profiles',
  effect: 'read',
  description: 'List rule profiles and which fit this project',
  arguments: new ToolArguments({}),
  examples: [{ args: {}, shows: 'each profile, whether it is in use and whether it fits' }],
  result: z.object({
    profiles: z.array(
      z.object({ name: z.string(), description: z.string(), used: z.boolean(), fits: z.boolean() }),
    ),
  }),
  run: (_args, { service, caller }) => service.projects.listProfiles(caller),
})
