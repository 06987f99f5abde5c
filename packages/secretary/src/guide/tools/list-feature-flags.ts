// Template: ./README.md
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import { guideFamily } from '../family.ts'
import { flagList, flagPattern } from '../schemas.ts'

export const listFeatureFlags = guideFamily.tool({
  name: 'list_feature_flags',
  title: 'List global flags',
  effect: 'read',
  description: 'List only the global flags',
  about: `Use it to see what is set for all projects, without what this project says. pattern is a glob over names, such as content-*.`,
  arguments: new ToolArguments({ pattern: flagPattern }),
  examples: [{ args: {}, shows: 'every global flag with its value' }],
  result: flagList,
  run: ({ pattern }, { service }) => service.flags.listGlobal(pattern),
})
