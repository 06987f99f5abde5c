import type { ReadAnswer } from '../../context/context.ts'
import { readFile } from '../../context/tools/read-file.ts'
import type { RegisterCommand } from '../command-context.ts'
import { toolCommand } from '../tool-command.ts'

export const registerRead: RegisterCommand = (program, context) => {
  toolCommand<ReadAnswer>(program, context, {
    name: 'read',
    tool: readFile,
    positional: ['path'],
    flags: { includeDeps: 'deps', startLine: 'from', endLine: 'to' },
    lines: ({ file, dependencies, message }) => [
      file.content.replace(/\n$/, ''),
      ...dependencies.flatMap(({ path, type, content, omitted }) => [
        '',
        `== ${path} (${type})`,
        content ?? omitted ?? '',
      ]),
      ...(message ? [message] : []),
    ],
  })
}
