import { resolve } from 'node:path'
import type { RegisterCommand } from '../command-context.ts'

export const registerBackup: RegisterCommand = (program, context) => {
  program
    .command('backup <file>')
    .description('write everything in the database into one file')
    .addHelpText(
      'after',
      '\nServers may go on writing meanwhile. `secretary restore` reads the file into an empty database, SQLite or PostgreSQL,\nwhichever it came from. The documents and the dialogs kept in SECRETARY_HOME are files; copy them with it.\n\nExample:\n  secretary backup ~/secretary-backup.gz',
    )
    .action((file: string, _options: object, command) =>
      context.withApp(command, async (app) => {
        const path = resolve(file)
        const { rows, bytes } = await app.backups.write(path)
        context.terminal.print(
          `Wrote ${rows.toLocaleString('en')} rows to ${path} (${Math.ceil(bytes / 1024).toLocaleString('en')} KB)`,
        )
      }),
    )
}

export const registerRestore: RegisterCommand = (program, context) => {
  program
    .command('restore <file>')
    .description('read a backup into an empty database')
    .addHelpText(
      'after',
      '\nExample, from a person’s SQLite to a team’s PostgreSQL:\n  secretary restore ~/secretary-backup.gz --database-url postgres://localhost/secretary',
    )
    .action((file: string, _options: object, command) =>
      context.withApp(command, async (app) => {
        const rows = await app.backups.restore(resolve(file))
        context.terminal.print(`Restored ${rows.toLocaleString('en')} rows`)
      }),
    )
}
