import type { Result } from '../../core/result.ts'
import type { Agent, AgentRequest, PendingCall, ToolUse, Turn } from '../agent.ts'
import { runOne } from '../tool-runner.ts'
import type { Toolbox } from '../toolbox.ts'
import { findTasks, type KnownTask } from './find-task.ts'
import type { Intent, TaskReference } from './intent.ts'
import { parseIntent } from './parse-intent.ts'

export const NO_MODEL =
  'No language model is configured, so I work by simple rules: I can add, list, complete, reopen, change and delete tasks. Set SECRETARY_MODEL (and SECRETARY_MODEL_URL for a local one) to talk freely.'
const EXAMPLES =
  'Try “add a task to buy milk”, “what is left?”, “mark buy milk as done”, “rename task 2 to …” or “delete task 3”.'
const MOST_SHOWN = 20
const MOST_TASKS = 1000
const PAGE = 100

/** Answers the task intents without a model, through the same tools. `introduction` says why, once in a conversation. */
export function createRuleAgent(toolbox: Toolbox, introduction: string): Agent {
  return {
    name: 'rules',
    async answer(request) {
      const turn = await new RuleTurn(toolbox, request, introduction).answer(
        parseIntent(request.message),
      )
      const isFirst = request.history.length === 0 && introduction !== ''
      const text =
        isFirst && !turn.text.includes(introduction) ? `${turn.text}\n\n${introduction}` : turn.text
      request.onEvent({ type: 'text', delta: text })
      return { ...turn, text }
    },
  }
}

/** One message: remembers which tools were used for it. */
class RuleTurn {
  readonly #uses: ToolUse[] = []
  readonly #toolbox: Toolbox
  readonly #request: AgentRequest
  readonly #introduction: string

  constructor(toolbox: Toolbox, request: AgentRequest, introduction: string) {
    this.#introduction = introduction
    this.#toolbox = toolbox
    this.#request = request
  }

  async answer(intent: Intent): Promise<Turn> {
    switch (intent.kind) {
      case 'add':
        return intent.title
          ? this.#add(intent.title, intent.description)
          : this.#say('What should the task say?')
      case 'list':
        return this.#list(intent.completed)
      case 'complete':
        return this.#withTask(intent.task, 'complete', false, ({ id }) =>
          this.#change('complete_task', { task_id: id }),
        )
      case 'reopen':
        return this.#withTask(intent.task, 'reopen', true, ({ id, title }) =>
          this.#change(
            'update_task',
            { task_id: id, completed: false },
            `“${title}” is open again.`,
          ),
        )
      case 'delete':
        return this.#withTask(intent.task, 'delete', undefined, (task) => this.#delete(task))
      case 'update':
        return this.#update(intent)
      case 'unsupported':
        return this.#say(
          `I cannot keep ${intent.wish}: a task has a title, a description and whether it is done. I can put it into the title or the description instead.`,
        )
      case 'greeting':
        return this.#say(`Hello. ${EXAMPLES}`)
      case 'help':
        return this.#say(`${this.#introduction} ${EXAMPLES}`.trim())
      default:
        return this.#say(
          ['I did not understand that.', this.#introduction, EXAMPLES].filter(Boolean).join(' '),
        )
    }
  }

  async #add(title: string, description?: string): Promise<Turn> {
    const result = await this.#call('add_task', {
      title: title.charAt(0).toUpperCase() + title.slice(1),
      ...(description ? { description } : {}),
    })
    if (!result.success) return this.#say(`I could not add it: ${sentence(result.error)}`)
    const { task } = result.value as { task: KnownTask }
    return this.#say(`Added task ${task.id}: “${task.title}”.`)
  }

  async #list(completed?: boolean): Promise<Turn> {
    const result = await this.#call('list_tasks', completed === undefined ? {} : { completed })
    if (!result.success) return this.#say(`I could not read the tasks: ${sentence(result.error)}`)
    const { tasks, total } = result.value as { tasks: KnownTask[]; total: number }
    const kind = completed === undefined ? '' : completed ? 'completed ' : 'open '
    if (total === 0) return this.#say(`You have no ${kind}tasks.`)
    const lines = tasks
      .slice(0, MOST_SHOWN)
      .map((task) => `${task.completed ? '✓' : '·'} ${task.id}  ${task.title}`)
    const more = total > lines.length ? `\n… and ${total - lines.length} more.` : ''
    return this.#say(
      `You have ${total} ${kind}${total === 1 ? 'task' : 'tasks'}:\n${lines.join('\n')}${more}`,
    )
  }

  async #update({ task, title, description }: Extract<Intent, { kind: 'update' }>): Promise<Turn> {
    return this.#withTask(task, 'change', undefined, (found) => {
      if (title === undefined && description === undefined)
        return this.#say(
          `What should task ${found.id}, “${found.title}”, become? Say “rename task ${found.id} to …”.`,
        )
      return this.#change(
        'update_task',
        { task_id: found.id, ...(title ? { title } : {}), ...(description ? { description } : {}) },
        `Changed task ${found.id}${title ? ` to “${title}”` : ''}.`,
      )
    })
  }

  async #delete(task: KnownTask): Promise<Turn> {
    const pending: PendingCall = { name: 'delete_task', args: { task_id: task.id } }
    const { approve } = this.#request
    if (!approve)
      return {
        ...this.#say(`Delete task ${task.id}, “${task.title}”, for good? Answer yes or no.`),
        pending,
      }
    if (!(await approve(pending))) return this.#say('Nothing was deleted.')
    return this.#change('delete_task', { task_id: task.id }, `Deleted “${task.title}”.`)
  }

  /** Finds the one task that is meant, or asks. */
  async #withTask(
    reference: TaskReference | undefined,
    verb: string,
    completed: boolean | undefined,
    act: (task: KnownTask) => Promise<Turn> | Turn,
  ): Promise<Turn> {
    if (!reference)
      return this.#say(`Which task shall I ${verb}? Give its number or some words of its title.`)
    const all = await this.#allTasks()
    if (typeof all === 'string') return this.#say(all)
    const found = findTasks(all, reference)
    const likely =
      completed === undefined ? found : found.filter((task) => task.completed === completed)
    const candidates = likely.length > 0 ? likely : found
    const [only] = candidates
    if (!only)
      return this.#say(
        `I found no task ${'id' in reference ? reference.id : `like “${reference.words}”`}. Say “list my tasks” to see them.`,
      )
    if (candidates.length > 1) {
      const choices = candidates.slice(0, MOST_SHOWN).map((task) => `· ${task.id}  ${task.title}`)
      return this.#say(`Several tasks fit. Which one shall I ${verb}?\n${choices.join('\n')}`)
    }
    return act(only)
  }

  async #allTasks(): Promise<KnownTask[] | string> {
    const all: KnownTask[] = []
    for (let offset = 0; offset < MOST_TASKS; offset += PAGE) {
      const result = await this.#call('list_tasks', { limit: PAGE, offset })
      if (!result.success) return `I could not read the tasks: ${sentence(result.error)}`
      const { tasks, total } = result.value as { tasks: KnownTask[]; total: number }
      all.push(...tasks)
      if (all.length >= total || tasks.length === 0) break
    }
    return all
  }

  async #change(tool: string, args: object, done?: string): Promise<Turn> {
    const result = await this.#call(tool, args)
    if (!result.success) return this.#say(`That did not work: ${sentence(result.error)}`)
    return this.#say(done ?? `${(result.value as { message: string }).message}.`)
  }

  async #call(name: string, args: object): Promise<Result> {
    const { use } = await runOne(
      { id: name, name, argumentsText: JSON.stringify(args) },
      args,
      this.#toolbox,
      this.#request,
    )
    this.#uses.push(use)
    return use.result
  }

  #say(text: string): Turn {
    return { text, uses: this.#uses }
  }
}

function sentence(text = ''): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}.`
}
