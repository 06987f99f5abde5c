// Template: ./README.md
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import { guideFamily } from '../family.ts'
import { flagAnswer, flagName, newFlagValue } from '../schemas.ts'

export const setProjectFlag = guideFamily.tool({
  name: 'set_project_flag',
  title: 'Set a project flag',
  effect: 'write',
  idempotent: true,
  description: 'Set or remove a flag of this project',
  about: `A value is true or false, a string, a list of strings, or a map of strings or lists; null removes the flag. A name has letters, digits, - and _.
Use it when the person decides how things are done in this project alone; it overrides the global flag of the same name. content-format takes none, plain or mime.`,
  arguments: new ToolArguments({ name: flagName, value: newFlagValue }),
  examples: [
    { args: { name: 'content-format', value: 'plain' }, shows: 'documents come with their names' },
    {
      args: { name: 'strict', value: null },
      shows: 'the flag is removed, so a global one applies again',
    },
  ],
  result: flagAnswer,
  run: ({ name, value }, { service, caller }) => service.flags.setProject(caller, name, value),
})
