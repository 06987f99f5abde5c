import type { ReadAnswer } from '../../context/context.ts'
import { readFile } from '../../context/tools/read-file.ts'
import type { RegisterCommand } from '../command-context.ts'
import { oneLine } from '../terminal.ts'
import { toolCommand } from '../tool-command.ts'

export const registerRead: RegisterCommand = (program, context) => {
  toolCommand<ReadAnswer>(program, context, {
    name: 'read',
    tool: readFile,
    positional: ['path'],
    flags: { includeDeps: 'deps', startLine: 'from', endLine: 'to' },
    isText: true,
    lines: ({ file, dependencies, message }) => [
      file.content.replace(/\n$/, ''),
      ...dependencies.flatMap(({ path, type, content, omitted }) => [
        '',
        oneLine(`== ${path} (${type})`),
        content ?? omitted ?? '',
      ]),
      ...(message ? [oneLine(message)] : []),
    ],
  })
}
