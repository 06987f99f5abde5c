import type { Command } from 'commander'
import { editNotesText } from '../../dialogs/edit-notes/edit-notes.ts'
import type { CommandContext, RegisterCommand } from '../command-context.ts'
import { FORMS, failOpen, hookAnswer, markShown, notShownIn, readHookInput } from '../hook.ts'

const never = new AbortController().signal

export const registerEditNotes: RegisterCommand = (program, context) => {
  program
    .command('edit-notes')
    .description('show what was asked for and decided about a file, before you change it')
    .argument('[path]', 'a file of the project')
    .option(
      '--hook',
      'act as the hook that an agent runs before an edit (see SECRETARY_EDIT_NOTES)',
    )
    .option('--form <agent>', `the form of its answer: ${FORMS.join(', ')}`, FORMS[0])
    .addHelpText('after', '\nExamples:\n  secretary edit-notes src/a.ts')
    .action(
      (path: string | undefined, options: { hook?: boolean; form: string }, command: Command) =>
        options.hook ? hook(context, options.form, command) : plain(context, path ?? '', command),
    )
}

async function plain(context: CommandContext, path: string, command: Command): Promise<void> {
  const notes = await context.withApp(command, (app) =>
    app.dialogs.deeds.editNotes(app.localCaller, path, never),
  )
  context.terminal.print(editNotesText(path, notes).text || 'Nothing is known about this file.')
}

/** Says nothing where there is nothing new: every word costs the agent tokens, edit after edit. */
async function hook(context: CommandContext, form: string, command: Command): Promise<void> {
  failOpen(context, command)
  const { sessionId = '', project, file } = await readHookInput(process.stdin)
  const overrides = {
    ...(sessionId ? { session: sessionId } : {}),
    ...(project && !command.optsWithGlobals().project ? { project } : {}),
  }
  try {
    const { config } = context.settings(command, overrides)
    if (config.editNotes === 'off' || file === undefined) return
    const notes = await context.withMemory(
      command,
      (app) =>
        app.boundary.perform('edit-notes hook', app.localCaller, () =>
          app.dialogs.deeds.editNotes(app.localCaller, file, never, config.hookSpaces),
        ),
      overrides,
    )
    const texts = notes.map(({ text }) => text)
    const fresh = new Set(notShownIn(config.home, sessionId, texts))
    const { text, shown } = editNotesText(
      file,
      notes.filter((note) => fresh.has(note.text)),
    )
    if (text === '') return
    markShown(config.home, sessionId, shown)
    context.terminal.print(hookAnswer(text, form, 'PreToolUse'))
  } catch (error) {
    context.terminal.note(error instanceof Error ? error.message : String(error))
  }
}
