// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { guideFamily } from '../family.ts'
import { problem } from '../schemas.ts'

export const getContent = guideFamily.tool({
  name: 'get_content',
  title: 'Get content',
  effect: 'read',
  description:
    'Get the guidelines and documents of a project.\nUse it before you write code; `project` gives what fits this project.',
  about: `Use it before you write code, to learn how things are done here; \`project\` gives what fits this project.
An expression is a collection or category, alone or with a pattern after the first slash: lang, lang/python, lang/python+go. Commas join several expressions, in order. Only documents that are meant for this project and its flags come back; next_offset says that more follow.`,
  arguments: new ToolArguments({
    expression: z.string().describe('Name or name/pattern: lang/python+go,guidelines'),
    pattern: z.string().optional().describe('Pattern for names without one'),
    offset: z.int().min(0).default(0).describe('Documents to skip'),
  }),
  examples: [
    { args: { expression: 'project' }, shows: 'the rules that fit this project' },
    {
      args: { expression: 'lang/python' },
      shows: 'the Python rules; the same as expression lang with pattern python',
    },
    {
      args: { expression: 'lang/python+rust,guidelines' },
      shows: 'two languages, then all guidelines',
    },
  ],
  result: z.object({
    content: z.string(),
    documents: z.array(z.object({ uri: z.string(), name: z.string() }).readonly()).readonly(),
    total: z.int(),
    problems: z.array(problem).readonly().optional(),
    next_offset: z.int().optional(),
  }),
  run: (asked, { service, caller }) => service.content(caller, asked),
})
