// Template: ./README.md
import { ToolArguments } from '../../core/tool-arguments.ts'
import { guideFamily } from '../family.ts'
import { flagAnswer, flagName, newFlagValue } from '../schemas.ts'

export const setProjectFlag = guideFamily.tool({
  name: 'set_project_flag',
  title: 'Set a project flag',
  effect: 'write',
  idempotent: true,
  description: 'Set or remove a flag of this project',
  arguments: new ToolArguments({ name: flagName, value: newFlagValue }),
  examples: [
    { args: { name: 'content-format', value: 'plain' }, shows: 'documents come with their names' },
    {
      args: { name: 'strict', value: null },
      shows: 'the flag is removed, and a global one counts again',
    },
  ],
  result: flagAnswer,
  run: ({ name, value }, { service, caller }) => service.flags.setProject(caller, name, value),
})
