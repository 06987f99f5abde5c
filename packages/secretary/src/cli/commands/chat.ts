import type { AgentEvent, PendingCall } from '../../agent/agent.ts'
import type { ChatReply } from '../../agent/conversations.ts'
import { actionTaken, modifiedTasks } from '../../agent/tool-runner.ts'
import { verdictOf } from '../../agent/verdict.ts'
import type { App } from '../../app/app.ts'
import { type RegisterCommand, UsageError } from '../command-context.ts'
import { openQuestions, type Questions } from '../questions.ts'
import type { Terminal } from '../terminal.ts'
import { visibleText } from '../visible-text.ts'

interface Options {
  readonly once?: string
  readonly conversation?: string
  readonly yes?: boolean
  readonly json?: boolean
}

export const registerChat: RegisterCommand = (program, context) => {
  program
    .command('chat')
    .description(
      'chat with an agent that has the same tools (Ctrl-C cancels an answer, Ctrl-D exits)',
    )
    .option('--once <message>', 'send one message, print the answer and exit')
    .option('--conversation <id>', 'continue an earlier conversation')
    .option('--yes', 'do not ask before destructive calls')
    .option('--json', 'print the answer of --once as JSON')
    .action((options: Options, command) => {
      if (options.json && options.once === undefined)
        throw new UsageError('--json needs --once: a chat is not one answer')
      return context.withApp(command, (app) =>
        options.once === undefined
          ? talk(app, context.terminal, options)
          : sayOnce(app, context.terminal, options.once, options),
      )
    })
}

async function sayOnce(
  app: App,
  terminal: Terminal,
  message: string,
  options: Options,
): Promise<void> {
  const approve = options.yes ? async () => true : undefined
  const reply = await app.conversations.chat({
    caller: app.localCaller,
    message,
    conversationId: options.conversation,
    signal: new AbortController().signal,
    approve,
    onEvent: toolsTo(terminal),
  })
  const { text, pending, conversationId } = reply
  if (options.json) return terminal.print(JSON.stringify(answerOf(reply)))
  terminal.print(text)
  if (pending)
    terminal.note(`To answer: secretary chat --conversation ${conversationId} --once yes`)
}

/** As `POST /api/v1/chat` answers. */
function answerOf({ conversationId, created, text, timestamp, uses, pending }: ChatReply) {
  return {
    conversation_id: conversationId,
    message: { content: text, sender: 'ai', timestamp },
    context: {
      tasks_modified: modifiedTasks(uses),
      action_taken: actionTaken(uses),
      conversation_created: created,
      ...(pending ? { needs_confirmation: pending } : {}),
    },
  }
}

async function talk(app: App, terminal: Terminal, options: Options): Promise<void> {
  const questions = openQuestions()
  terminal.note(
    `Secretary, with ${app.config.model ?? 'simple rules (no model is configured)'}. Ctrl-D exits.`,
  )
  let conversationId = options.conversation
  for (;;) {
    const message = await questions.ask('> ')
    if (message === undefined) break
    if (message.trim() === '') continue
    conversationId =
      (await answer(app, terminal, questions, message, conversationId, options.yes ?? false)) ??
      conversationId
  }
  questions.close()
  if (conversationId)
    terminal.note(`\nTo continue: secretary chat --conversation ${conversationId}`)
}

async function answer(
  app: App,
  terminal: Terminal,
  questions: Questions,
  message: string,
  conversationId: string | undefined,
  yes: boolean,
): Promise<string | undefined> {
  const cancel = new AbortController()
  const stopListening = questions.onInterrupt(() => cancel.abort())
  const approve = async (_call: PendingCall, question: string) =>
    yes || verdictOf((await questions.ask(`${question} `)) ?? '', question) === 'yes'
  try {
    const reply = await app.conversations.chat({
      caller: app.localCaller,
      message,
      conversationId,
      signal: cancel.signal,
      approve,
      onEvent: streamTo(terminal),
    })
    process.stdout.write('\n')
    return reply.conversationId
  } catch (error) {
    if (!cancel.signal.aborted) throw error
    terminal.note('\nCancelled; your message was saved.')
    return undefined
  } finally {
    stopListening()
  }
}

function toolsTo(terminal: Terminal): (event: AgentEvent) => void {
  return (event) => {
    if (event.type === 'tool')
      terminal.note(terminal.style('dim', `  ${event.name} ${JSON.stringify(event.args)}`))
  }
}

function streamTo(terminal: Terminal): (event: AgentEvent) => void {
  const tools = toolsTo(terminal)
  return (event) =>
    event.type === 'text' ? void process.stdout.write(visibleText(event.delta)) : tools(event)
}
