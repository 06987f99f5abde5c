import { readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { unwrap } from '@secretary-mcp/core/failure.ts'
import { agentProcess, ancestors, notesFolder, processOf } from '../../dialogs/own-dialog.ts'
import type { Recall } from '../../dialogs/recall/compose-recall.ts'
import { hookText, recallText } from '../../dialogs/recall/recall-text.ts'
import { recallTool } from '../../dialogs/tools/recall.ts'
import { writeWhole } from '../clients/write-whole.ts'
import type { CommandContext, RegisterCommand } from '../command-context.ts'
import { resolveSession, WHERE_DIALOGS_ARE } from '../dialog-words.ts'
import { FORMS, failOpen, hookAnswer, markShown, readHookInput } from '../hook.ts'
import { type Chosen, toolCommand } from '../tool-command.ts'

const never = new AbortController().signal

export const registerRecall: RegisterCommand = (program, context) => {
  toolCommand<Recall>(program, context, {
    name: 'recall',
    tool: recallTool,
    positional: ['sessionId'],
    description: 'recall what was asked and where the work stands, within a budget of tokens',
    resolve: resolveSession,
    hints: { not_found: WHERE_DIALOGS_ARE },
    instead: (chosen) => (chosen.options.hook ? hook(context, chosen) : undefined),
    isText: true,
    lines: (recalled) => [recallText(recalled)],
  })
    .option(
      '--hook',
      "act as an agent's session hook: read its JSON from standard input and answer in its format",
    )
    .option('--form <agent>', `the form of that answer: ${FORMS.join(', ')}`, FORMS[0])
    .addHelpText('after', '  secretary hook claude-code\n      how to run it automatically')
}

/** A hook that fails must not stand in the way of a session: it says why on standard error, and nothing else. */
async function hook(context: CommandContext, { args, options, command }: Chosen): Promise<void> {
  failOpen(context, command)
  const { sessionId, project, isFresh, agent } = await readHookInput(process.stdin)
  const overrides = {
    ...(sessionId ? { session: sessionId } : {}),
    ...(project && !options.project ? { project } : {}),
  }
  try {
    const { config } = context.settings(command, overrides)
    if (sessionId) noteDialog(config.home, sessionId, agent)
    const recalled = await context.withMemory(
      command,
      (app) =>
        app.boundary.perform('recall hook', app.localCaller, async () => {
          const asked = { budget: Number(args.budget), isFresh, spaces: config.hookSpaces }
          return unwrap<Recall>(await app.dialogs.recall(app.localCaller, asked, never))
        }),
      overrides,
    )
    context.terminal.print(hookAnswer(hookText(recalled, config.hookSpaces), String(options.form)))
    if (config.editNotes === 'on') markShown(config.home, sessionId ?? '', recalled.standing ?? [])
  } catch (error) {
    context.terminal.note(error instanceof Error ? error.message : String(error))
  }
}

/** Notes which dialog the agent is in that runs this hook: the server that it started has no other way to know. */
function noteDialog(home: string, sessionId: string, agent = agentProcess(ancestors())): void {
  if (agent === undefined) return
  const folder = notesFolder(home)
  const note = { sessionId, procStart: processOf(agent)?.start }
  writeWhole(join(folder, `${agent}.json`), home, `${JSON.stringify(note)}\n`)
  for (const name of readdirSync(folder))
    if (isOver(basename(name, '.json'))) rmSync(join(folder, name), { force: true })
}

function isOver(pid: string): boolean {
  try {
    return !process.kill(Number(pid), 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
