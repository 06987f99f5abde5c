// Template: ./README.md
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import { guideFamily } from '../family.ts'
import { flagList, flagPattern } from '../schemas.ts'

export const listProjectFlags = guideFamily.tool({
  name: 'list_project_flags',
  title: 'List project flags',
  effect: 'read',
  description: 'List the flags in effect in this project',
  about: `Use it to learn how this project is set up: its own flags laid over the global ones. pattern is a glob over names, such as content-*.`,
  arguments: new ToolArguments({ pattern: flagPattern }),
  examples: [
    { args: { pattern: 'content-*' }, shows: "the project's flags over the global ones, by name" },
  ],
  result: flagList,
  run: ({ pattern }, { service, caller }) => service.flags.listProject(caller, pattern),
})
