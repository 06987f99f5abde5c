// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { dialogSchema } from '../dialog-schema.ts'
import { dialogsFamily } from '../family.ts'

export const listDialogs = dialogsFamily.tool({
  name: 'list_dialogs',
  title: 'List dialogs',
  effect: 'read',
  description: "List the project's dialogs with any agent, newest first",
  about: `Use it to find the sessionId of an earlier dialog, or to see what was asked of other agents in this project.
source takes an agent's name, such as claude-code, codex, gemini-cli or vscode. Times are Unix ms; requestsCount is how many requests the dialog has.`,
  arguments: new ToolArguments({
    source: z.string().optional().describe('Only of this agent, such as codex'),
    everywhere: z.boolean().default(false).describe('Whether to list all projects'),
    limit: z.int().min(1).max(100).default(20).describe('Dialogs to return'),
    offset: z.int().min(0).default(0).describe('Dialogs to skip'),
  }),
  examples: [
    { args: {}, shows: 'the 20 newest of this project' },
    {
      args: { source: 'claude-code', everywhere: true },
      shows: 'those with Claude Code in any project',
    },
  ],
  result: z.object({
    dialogs: z.array(dialogSchema),
    total: z.int(),
    more: z.string().optional(),
    note: z.string().optional(),
  }),
  run: (filter, { service, caller, signal }) => service.listDialogs(caller, filter, signal),
})
