// Template: ./README.md
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import { guideFamily } from '../family.ts'
import { flagAnswer, flagName } from '../schemas.ts'

export const getFeatureFlag = guideFamily.tool({
  name: 'get_feature_flag',
  title: 'Get a global flag',
  effect: 'read',
  description: 'Get a global flag, ignoring the project',
  about: `Use it to see the value for all projects, before any project overrides it. null means that it is not set.`,
  arguments: new ToolArguments({ name: flagName }),
  examples: [{ args: { name: 'team' }, shows: 'the global value, or null' }],
  result: flagAnswer,
  run: ({ name }, { service }) => service.flags.getGlobal(name),
})
