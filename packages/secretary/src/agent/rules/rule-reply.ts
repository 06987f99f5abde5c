import type { Result } from '@secretary-mcp/core/result.ts'
import type { AgentRequest, PendingCall, Reply, Toolbox, ToolUse, Waiting } from '../agent.ts'
import { describeTask, questionFor } from '../facts.ts'
import { languageOf } from '../language.ts'
import { runOne } from '../tool-runner.ts'
import { findTasks, type KnownTask } from './find-task.ts'
import type { Intent, TaskIntent } from './rule.ts'
import { line, listText, MOST_SHOWN, type Wording, wordingIn } from './wording.ts'

const MOST_TASKS = 1000
const PAGE = 100

/** What one intent came to. */
interface Step {
  readonly text: string
  /** Where it stops to ask. */
  readonly asks?: Extract<Waiting, { by: 'rules' }>['wants']
  readonly pending?: PendingCall
  /** What it turned out to be: one intent for each task. */
  readonly each?: readonly Intent[]
}

/** One message: remembers which tools were used for it. */
export class RuleReply {
  readonly #uses: ToolUse[] = []
  readonly #toolbox: Toolbox
  readonly #request: AgentRequest
  readonly #introduction: string
  readonly #words: Wording

  constructor(toolbox: Toolbox, request: AgentRequest, isIntroduced: boolean) {
    this.#words = wordingIn(languageOf(request))
    this.#introduction = isIntroduced ? this.#words.introduction : ''
    this.#toolbox = toolbox
    this.#request = request
  }

  get introduction(): string {
    return this.#introduction
  }

  /** One after the other; a question stops here, and the rest waits for its answer. */
  async answer(intents: readonly Intent[], opening = ''): Promise<Reply> {
    const texts = [opening]
    const left = [...intents]
    for (let intent = left.shift(); intent; intent = left.shift()) {
      const { text, asks, pending, each = [] } = await this.#step(intent)
      texts.push(text)
      left.unshift(...each)
      if (asks) {
        const others = asks === 'yes' ? left.filter(isSeenDelete).length : 0
        if (others > 0) texts.push(this.#words.yesToAll(others))
        const waiting = { by: 'rules' as const, question: text, wants: asks, intent, rest: left }
        return { ...this.#reply(texts), waiting, ...(pending ? { pending } : {}) }
      }
    }
    return this.#reply(texts)
  }

  /** The person said yes. What they said it to must still be what it was. */
  async confirmed(pending: PendingCall, asked: string, rest: readonly Intent[]): Promise<Reply> {
    const question = await questionFor(pending, this.#toolbox, this.#request)
    if (question !== undefined && question !== asked)
      return this.#ask(pending, question, rest, this.#words.changedMeanwhile)
    return this.answer(rest, await this.#run(pending))
  }

  /** “Yes to all”: the tasks that were listed, unless one has changed since. */
  async confirmedAll(pending: PendingCall, asked: string, rest: readonly Intent[]): Promise<Reply> {
    const question = await questionFor(pending, this.#toolbox, this.#request)
    if (question !== undefined && question !== asked)
      return this.#ask(pending, question, rest, this.#words.changedMeanwhile)
    const done = [await this.#run(pending)]
    const left: Intent[] = []
    for (const intent of rest) {
      const known = isSeenDelete(intent)
        ? await this.#toolbox.findTask(intent.task.id, this.#request.caller)
        : undefined
      if (known && isSeenDelete(intent) && known.title === intent.seen)
        done.push(await this.#run({ name: 'delete_task', args: { task_id: known.id } }))
      else left.push(intent)
    }
    return this.answer(left, done.join('\n'))
  }

  declined(rest: readonly Intent[], waiting: number): Promise<Reply> {
    const { restDropped, untouched, instead } = this.#words
    return this.answer(rest, `${waiting > rest.length ? restDropped : untouched} ${instead}`)
  }

  /** The person said something else, which comes first. */
  interrupted(intents: readonly Intent[]): Promise<Reply> {
    return this.answer(intents, this.#words.untouched)
  }

  askAgain(pending: PendingCall, waiting: Waiting): Reply {
    const rest = waiting.by === 'rules' ? waiting.rest : []
    return this.#ask(pending, waiting.question, rest, this.#words.notUnderstood)
  }

  /** Takes the last change back; what that would destroy is asked about first. */
  async undo(calls: readonly PendingCall[]): Promise<Reply> {
    const texts: string[] = []
    for (const call of calls) {
      const isAsked = this.#toolbox.asksFirst(call.name, this.#request.caller)
      const question = isAsked && (await questionFor(call, this.#toolbox, this.#request))
      if (question) return this.#ask(call, question, [], texts.join('\n'))
      const result = await this.#call(call.name, call.args)
      const { task } = (result.value ?? {}) as { task?: KnownTask }
      texts.push(task ? this.#words.undone(task) : this.#words.failed(result))
    }
    return this.#reply(texts.length > 0 ? texts : [this.#words.cannotUndo])
  }

  #ask(call: PendingCall, question: string, rest: readonly Intent[], opening: string): Reply {
    const intent: Intent = { kind: 'unknown' }
    const waiting = { by: 'rules' as const, question, wants: 'yes' as const, intent, rest }
    return { ...this.#reply([opening, question].filter(Boolean)), waiting, pending: call }
  }

  async #step(intent: Intent): Promise<Step> {
    const { askTitle, nothingToUndo, unsupported, hello, examples, notUnderstood } = this.#words
    switch (intent.kind) {
      case 'add':
        return intent.title
          ? this.#add(intent.title, intent.description)
          : { text: askTitle, asks: 'title' }
      case 'list':
        return this.#list(intent.completed)
      case 'complete':
      case 'reopen':
      case 'delete':
      case 'update':
        return this.#aboutTask(intent)
      case 'undo':
        return { text: nothingToUndo }
      case 'unsupported':
        return { text: unsupported }
      case 'greeting':
        return { text: `${hello} ${examples}` }
      case 'help':
        return { text: joined(this.#introduction, examples) }
      default:
        return { text: joined(notUnderstood, this.#introduction, examples) }
    }
  }

  async #add(title: string, description?: string): Promise<Step> {
    const result = await this.#call('add_task', {
      title: title.charAt(0).toUpperCase() + title.slice(1),
      ...(description ? { description } : {}),
    })
    return this.#said(result, ({ task }) => this.#words.added(task))
  }

  async #list(completed?: boolean): Promise<Step> {
    const result = await this.#call('list_tasks', completed === undefined ? {} : { completed })
    if (!result.success) return { text: this.#words.failed(result) }
    const found = result.value as { tasks: KnownTask[]; total: number }
    return { text: listText(found, this.#words, completed) }
  }

  /** Finds the one task that is meant, or asks. */
  async #aboutTask(intent: TaskIntent): Promise<Step> {
    const { kind, task: reference } = intent
    if (!reference || (kind === 'update' && 'all' in reference))
      return { text: this.#words.whichTask(kind), asks: 'task' }
    const all = await this.#allTasks()
    if (!Array.isArray(all)) return { text: this.#words.failed(all) }
    if ('all' in reference && kind !== 'update') return this.#everyTask(kind, all)
    const found = findTasks(all, reference)
    const likely = found.filter(({ completed }) => completed === (kind === 'reopen'))
    const isSure = kind === 'delete' || kind === 'update' || likely.length === 0
    const candidates = isSure ? found : likely
    const [only] = candidates
    if (!only) return { text: this.#words.notFound(reference) }
    if (candidates.length > 1) {
      const choices = candidates.slice(0, MOST_SHOWN).map(({ id, title }) => `· ${id}  ${title}`)
      return { text: `${this.#words.whichOf(kind)}\n${choices.join('\n')}`, asks: 'task' }
    }
    return this.#act(intent, only)
  }

  async #everyTask(
    kind: 'complete' | 'reopen' | 'delete',
    all: readonly KnownTask[],
  ): Promise<Step> {
    const wanted =
      kind === 'delete' ? all : all.filter((one) => one.completed === (kind === 'reopen'))
    const state = kind === 'delete' ? undefined : kind === 'reopen'
    if (wanted.length === 0) return { text: this.#words.none(state) }
    if (kind === 'delete') {
      const each = wanted.map(({ id, title }) => ({ kind, task: { id }, seen: title }))
      return { text: [this.#words.heading(all.length), ...all.map(line)].join('\n'), each }
    }
    for (const { id } of wanted) {
      const result = await this.#call(...callFor(kind, id))
      if (!result.success) return { text: this.#words.failed(result) }
    }
    const { completedAll, reopenedAll } = this.#words
    return { text: (kind === 'reopen' ? reopenedAll : completedAll)(wanted.length) }
  }

  async #act(intent: TaskIntent, task: KnownTask): Promise<Step> {
    const { completed, reopened } = this.#words
    if (intent.kind === 'update') return this.#update(intent, task)
    const [tool, args] = callFor(intent.kind, task.id)
    if (intent.kind === 'delete') return this.#delete({ name: tool, args })
    const said = intent.kind === 'complete' ? completed : reopened
    return this.#said(await this.#call(tool, args), (value) => said(value.task))
  }

  async #update(
    { title: wanted, description }: Extract<TaskIntent, { kind: 'update' }>,
    task: KnownTask,
  ): Promise<Step> {
    if (wanted === undefined && description === undefined)
      return { text: this.#words.askText(task), asks: 'text' }
    const result = await this.#call('update_task', {
      task_id: task.id,
      ...(wanted ? { title: wanted } : {}),
      ...(description ? { description } : {}),
    })
    return this.#said(result, () => this.#words.changed(task.id, wanted))
  }

  async #delete(call: PendingCall): Promise<Step> {
    const question = await questionFor(call, this.#toolbox, this.#request)
    const { approve } = this.#request
    if (question && !approve) return { text: question, asks: 'yes', pending: call }
    if (question && approve && !(await approve(call, question)))
      return { text: joined(this.#words.untouched, this.#words.instead) }
    return { text: await this.#run(call) }
  }

  /** Runs what was agreed to. What it destroys is described before, since afterwards it cannot be looked up. */
  async #run({ name, args }: PendingCall): Promise<string> {
    const { task_id: id } = args as { task_id?: number }
    const task =
      id === undefined ? undefined : await this.#toolbox.findTask(id, this.#request.caller)
    const result = await this.#call(name, args)
    if (!result.success) return this.#words.failed(result)
    if (!task || name !== 'delete_task') return this.#words.ran(this.#toolbox.ownName(name))
    return this.#words.deleted(describeTask(task, languageOf(this.#request)))
  }

  async #allTasks(): Promise<KnownTask[] | Result> {
    const all: KnownTask[] = []
    for (let offset = 0; offset < MOST_TASKS; offset += PAGE) {
      const result = await this.#call('list_tasks', { limit: PAGE, offset })
      if (!result.success) return result
      const { tasks, total } = result.value as { tasks: KnownTask[]; total: number }
      all.push(...tasks)
      if (all.length >= total || tasks.length === 0) break
    }
    return all
  }

  #said(result: Result, done: (value: { task: KnownTask }) => string): Step {
    const { failed } = this.#words
    return { text: result.success ? done(result.value as { task: KnownTask }) : failed(result) }
  }

  async #call(name: string, args: unknown): Promise<Result> {
    const call = { id: name, name, argumentsText: JSON.stringify(args) }
    const { use } = await runOne(call, args, this.#toolbox, this.#request)
    this.#uses.push(use)
    return use.result
  }

  #reply(texts: readonly string[]): Reply {
    return { text: texts.filter(Boolean).join('\n\n'), uses: this.#uses }
  }
}

function callFor(kind: 'complete' | 'reopen' | 'delete', id: number): [string, object] {
  if (kind === 'reopen') return ['update_task', { task_id: id, completed: false }]
  return [kind === 'complete' ? 'complete_task' : 'delete_task', { task_id: id }]
}

/** A deletion of a task that the person was shown in a list. */
function isSeenDelete(
  intent: Intent,
): intent is Intent & { readonly task: { readonly id: number }; readonly seen: string } {
  return intent.kind === 'delete' && intent.seen !== undefined
}

function joined(...texts: readonly string[]): string {
  return texts.filter(Boolean).join(' ')
}
