import type { Result } from '../../core/result.ts'
import type { AgentRequest, PendingCall, ToolUse, Turn, Waiting } from '../agent.ts'
import { describeTask, questionFor } from '../facts.ts'
import { runOne } from '../tool-runner.ts'
import type { Toolbox } from '../toolbox.ts'
import { findTasks, type KnownTask } from './find-task.ts'
import type { Intent, TaskIntent } from './intent.ts'
import { listText, MOST_SHOWN, sentence } from './wording.ts'

const EXAMPLES =
  'Try “add a task to buy milk”, “what is left?”, “mark buy milk as done”, “rename task 2 to …” or “delete task 3”.'
const MOST_TASKS = 1000
const PAGE = 100

/** What one intent came to. */
interface Step {
  readonly text: string
  /** Where it stops to ask. */
  readonly asks?: Extract<Waiting, { by: 'rules' }>['wants']
  readonly pending?: PendingCall
}

/** One message: remembers which tools were used for it. */
export class RuleTurn {
  readonly #uses: ToolUse[] = []
  readonly #toolbox: Toolbox
  readonly #request: AgentRequest
  readonly #introduction: string

  constructor(toolbox: Toolbox, request: AgentRequest, introduction: string) {
    this.#introduction = introduction
    this.#toolbox = toolbox
    this.#request = request
  }

  /** One after the other; a question stops here, and the rest waits for its answer. */
  async answer(intents: readonly Intent[], opening?: string): Promise<Turn> {
    const texts = opening ? [opening] : []
    for (const [place, intent] of intents.entries()) {
      const { text, asks, pending } = await this.#step(intent)
      texts.push(text)
      const rest = intents.slice(place + 1)
      if (asks) {
        const waiting = { by: 'rules' as const, question: text, wants: asks, intent, rest }
        return { ...this.#turn(texts), waiting, ...(pending ? { pending } : {}) }
      }
    }
    return this.#turn(texts)
  }

  /** The person said yes. What they said it to must still be what it was. */
  async confirmed(pending: PendingCall, asked: string, rest: readonly Intent[]): Promise<Turn> {
    const question = await questionFor(pending, this.#toolbox, this.#request)
    if (question !== undefined && question !== asked)
      return this.#ask(pending, question, rest, 'That has changed meanwhile.')
    const before = await this.#describe(pending)
    const result = await this.#call(pending.name, pending.args)
    const text = result.success ? `Done: ${before}.` : `That failed: ${sentence(result)}`
    return this.answer(rest, text)
  }

  declined(rest: readonly Intent[], waiting: number): Promise<Turn> {
    const isDropped = waiting > rest.length
    return this.answer(
      rest,
      `Nothing was deleted or changed${isDropped ? ', and the rest of your message was not done either' : ''}. What should I do instead?`,
    )
  }

  askAgain(pending: PendingCall, waiting: Waiting): Turn {
    const rest = waiting.by === 'rules' ? waiting.rest : []
    return this.#ask(pending, waiting.question, rest, 'I did not understand that.')
  }

  /** Takes the last change back; what that would destroy is asked about first. */
  async undo(calls: readonly PendingCall[]): Promise<Turn> {
    const texts: string[] = []
    for (const call of calls) {
      const isAsked = this.#toolbox.asksFirst(call.name)
      const question = isAsked && (await questionFor(call, this.#toolbox, this.#request))
      if (question) return this.#ask(call, question, [], texts.join('\n'))
      const result = await this.#call(call.name, call.args)
      const { task } = (result.value ?? {}) as { task?: KnownTask }
      texts.push(
        task
          ? `Undone: task ${task.id} is “${task.title}” again, ${task.completed ? 'done' : 'open'}.`
          : `That failed: ${sentence(result)}`,
      )
    }
    return this.#turn(
      texts.length > 0 ? texts : ['The last change cannot be undone. Say what you want instead.'],
    )
  }

  #ask(call: PendingCall, question: string, rest: readonly Intent[], opening: string): Turn {
    const intent: Intent = { kind: 'unknown' }
    const waiting = { by: 'rules' as const, question, wants: 'yes' as const, intent, rest }
    return { ...this.#turn([opening, question].filter(Boolean)), waiting, pending: call }
  }

  async #step(intent: Intent): Promise<Step> {
    switch (intent.kind) {
      case 'add':
        return intent.title
          ? this.#add(intent.title, intent.description)
          : { text: 'What should the task say?', asks: 'title' }
      case 'list':
        return this.#list(intent.completed)
      case 'complete':
      case 'reopen':
      case 'delete':
      case 'update':
        return this.#aboutTask(intent)
      case 'undo':
        return {
          text: 'There is nothing to undo in this conversation. Say “list my tasks” to see what is there.',
        }
      case 'unsupported':
        return {
          text: `I cannot keep ${intent.wish}: a task has a title, a description and whether it is done. I can put it into the title or the description instead.`,
        }
      case 'greeting':
        return { text: `Hello. ${EXAMPLES}` }
      case 'help':
        return { text: `${this.#introduction} ${EXAMPLES}`.trim() }
      default:
        return {
          text: ['I did not understand that.', this.#introduction, EXAMPLES]
            .filter(Boolean)
            .join(' '),
        }
    }
  }

  async #add(title: string, description?: string): Promise<Step> {
    const result = await this.#call('add_task', {
      title: title.charAt(0).toUpperCase() + title.slice(1),
      ...(description ? { description } : {}),
    })
    if (!result.success) return { text: `I could not add it: ${sentence(result)}` }
    const { task } = result.value as { task: KnownTask }
    return { text: `Added task ${task.id}: “${task.title}”.` }
  }

  async #list(completed?: boolean): Promise<Step> {
    const result = await this.#call('list_tasks', completed === undefined ? {} : { completed })
    if (!result.success) return { text: `I could not read the tasks: ${sentence(result)}` }
    return { text: listText(result.value as { tasks: KnownTask[]; total: number }, completed) }
  }

  /** Finds the one task that is meant, or asks. */
  async #aboutTask(intent: TaskIntent): Promise<Step> {
    const { kind, task: reference } = intent
    const verb = kind === 'update' ? 'change' : kind
    if (!reference)
      return {
        text: `Which task shall I ${verb}? Give its number or some words of its title.`,
        asks: 'task',
      }
    const all = await this.#allTasks()
    if (typeof all === 'string') return { text: all }
    const found = findTasks(all, reference)
    const likely = found.filter(({ completed }) => completed === (kind === 'reopen'))
    const isSure = kind === 'delete' || kind === 'update' || likely.length === 0
    const candidates = isSure ? found : likely
    const [only] = candidates
    if (!only)
      return {
        text: `I found no task ${'id' in reference ? reference.id : `like “${reference.words}”`}. Say “list my tasks” to see them.`,
      }
    if (candidates.length > 1) {
      const choices = candidates.slice(0, MOST_SHOWN).map(({ id, title }) => `· ${id}  ${title}`)
      return {
        text: `Several tasks fit. Which one shall I ${verb}?\n${choices.join('\n')}`,
        asks: 'task',
      }
    }
    return this.#act(intent, only)
  }

  async #act(intent: TaskIntent, { id, title }: KnownTask): Promise<Step> {
    if (intent.kind === 'update') return this.#update(intent, { id, title })
    if (intent.kind === 'complete') return this.#change('complete_task', { task_id: id })
    if (intent.kind === 'reopen')
      return this.#change(
        'update_task',
        { task_id: id, completed: false },
        `“${title}” is open again.`,
      )
    return this.#delete({ name: 'delete_task', args: { task_id: id } })
  }

  async #update(
    { title: wanted, description }: Extract<TaskIntent, { kind: 'update' }>,
    { id, title }: Pick<KnownTask, 'id' | 'title'>,
  ): Promise<Step> {
    if (wanted === undefined && description === undefined)
      return {
        text: `What should task ${id}, “${title}”, become? Say its new title.`,
        asks: 'text',
      }
    return this.#change(
      'update_task',
      {
        task_id: id,
        ...(wanted ? { title: wanted } : {}),
        ...(description ? { description } : {}),
      },
      `Changed task ${id}${wanted ? ` to “${wanted}”` : ''}.`,
    )
  }

  async #delete(call: PendingCall): Promise<Step> {
    const question = await questionFor(call, this.#toolbox, this.#request)
    const { approve } = this.#request
    if (question && !approve) return { text: question, asks: 'yes', pending: call }
    if (question && approve && !(await approve(call, question)))
      return { text: 'Nothing was deleted. What should I do instead?' }
    const done = await this.#describe(call)
    return this.#change(call.name, call.args, `Done: ${done}.`)
  }

  /** For afterwards: what is gone cannot be looked up. */
  async #describe({ name, args }: PendingCall): Promise<string> {
    const { task_id: id } = args as { task_id?: number }
    const task =
      id === undefined ? undefined : await this.#toolbox.findTask(id, this.#request.caller)
    if (!task || name !== 'delete_task') return this.#toolbox.ownName(name).replaceAll('_', ' ')
    return `deleted ${describeTask(task)}`
  }

  async #allTasks(): Promise<KnownTask[] | string> {
    const all: KnownTask[] = []
    for (let offset = 0; offset < MOST_TASKS; offset += PAGE) {
      const result = await this.#call('list_tasks', { limit: PAGE, offset })
      if (!result.success) return `I could not read the tasks: ${sentence(result)}`
      const { tasks, total } = result.value as { tasks: KnownTask[]; total: number }
      all.push(...tasks)
      if (all.length >= total || tasks.length === 0) break
    }
    return all
  }

  async #change(tool: string, args: unknown, done?: string): Promise<Step> {
    const result = await this.#call(tool, args)
    if (!result.success) return { text: `That failed: ${sentence(result)}` }
    return { text: done ?? `${(result.value as { message: string }).message}.` }
  }

  async #call(name: string, args: unknown): Promise<Result> {
    const call = { id: name, name, argumentsText: JSON.stringify(args) }
    const { use } = await runOne(call, args, this.#toolbox, this.#request)
    this.#uses.push(use)
    return use.result
  }

  #turn(texts: readonly string[]): Turn {
    return { text: texts.join('\n\n'), uses: this.#uses }
  }
}
