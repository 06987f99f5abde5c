// Template: ./README.md
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import { guideFamily } from '../family.ts'
import { flagAnswer, flagName } from '../schemas.ts'

export const getProjectFlag = guideFamily.tool({
  name: 'get_project_flag',
  title: 'Get a project flag',
  effect: 'read',
  description: "Get a flag: the project's value, else the global",
  about: `Use it to see the value in effect here: the project's own value, or the global one where it has none. null means that neither is set.`,
  arguments: new ToolArguments({ name: flagName }),
  examples: [
    { args: { name: 'content-format' }, shows: 'the value in effect in this project, or null' },
  ],
  result: flagAnswer,
  run: ({ name }, { service, caller }) => service.flags.getProject(caller, name),
})
