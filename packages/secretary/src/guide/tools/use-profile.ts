// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { guideFamily } from '../family.ts'

export const useProfile = guideFamily.tool({
  name: 'use_profile',
  title: 'Use a profile',
  effect: 'write',
  isOperators: true,
  idempotent: true,
  description: 'Add a rule profile to this project',
  arguments: new ToolArguments({
    name: z.string().describe('Name of the profile, from list_profiles'),
  }),
  examples: [
    {
      args: { name: 'python' },
      shows: 'the Python rules join what is there; a second time changes nothing',
    },
  ],
  result: z.object({ profile: z.string(), added: z.array(z.string()) }),
  run: ({ name }, { service, caller }) => service.projects.useProfile(caller, name),
})
