// Template: ./README.md
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import { guideFamily } from '../family.ts'
import { flagAnswer, flagName, newFlagValue } from '../schemas.ts'

export const setFeatureFlag = guideFamily.tool({
  name: 'set_feature_flag',
  title: 'Set a global flag',
  effect: 'write',
  isOperators: true,
  idempotent: true,
  description: 'Set or remove a global flag, for all projects',
  about: `A value is true or false, a string, a list of strings, or a map of strings or lists; null removes the flag. A name has letters, digits, - and _.
Use it when the person decides something for all their projects; a project flag of the same name overrides it.`,
  arguments: new ToolArguments({ name: flagName, value: newFlagValue }),
  examples: [
    { args: { name: 'team', value: ['web', 'api'] }, shows: 'a list that every project sees' },
  ],
  result: flagAnswer,
  run: ({ name, value }, { service }) => service.flags.setGlobal(name, value),
})
