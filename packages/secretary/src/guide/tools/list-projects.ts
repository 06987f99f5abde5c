// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { guideFamily } from '../family.ts'
import { projectRecord } from '../schemas.ts'

export const listProjects = guideFamily.tool({
  name: 'list_projects',
  title: 'List projects',
  effect: 'read',
  description: 'List the projects that have settings',
  arguments: new ToolArguments({}),
  examples: [{ args: {}, shows: 'this project first, then the others by name' }],
  result: z.object({ projects: z.array(projectRecord) }),
  run: (_args, { service, caller }) => service.projects.list(caller),
})
