// Template: ./README.md
import * as z from 'zod'
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import { guideFamily } from '../family.ts'
import { readResource } from '../read-resource.ts'

export const readResourceTool = guideFamily.tool({
  name: 'read_resource',
  title: 'Read a resource',
  effect: 'read',
  description: 'Read a guide:// address as a resource',
  arguments: new ToolArguments({
    uri: z.string().describe('Such as guide://lang/python.md or guide://_status'),
    offset: z.int().min(0).default(0).describe('Characters to skip'),
  }),
  examples: [
    { args: { uri: 'guide://lang/python.md' }, shows: 'one document' },
    { args: { uri: 'guide://_status' }, shows: 'what is in force here' },
  ],
  result: z.object({
    uri: z.string(),
    mime_type: z.string(),
    text: z.string(),
    next_offset: z.int().optional(),
  }),
  run: ({ uri, offset }, { service, caller }) => readResource(service, caller, uri, offset),
})
