import type { Result } from '@secretary-mcp/core/result.ts'
import type { AgentRequest, PendingCall, Reply, Toolbox, ToolUse, Waiting } from '../agent.ts'
import { describeTask, questionFor } from '../facts.ts'
import { languageOf } from '../language.ts'
import { runOne } from '../tool-runner.ts'
import { answerQuestion } from './answer-question.ts'
import { findTasks, type KnownTask } from './find-task.ts'
import { groundIntents, isKnown } from './ground.ts'
import { isQuestion, parseIntents } from './parse-intent.ts'
import type { Intent, Plan, TaskIntent } from './rule.ts'
import { detailsText, line, listText, MAX_SHOWN, type Wording, wordingIn } from './wording.ts'
import { isSameWord, wordsOf } from './words.ts'

const MAX_TASKS = 1000
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

  /** What the message asks for; where its words fit no rule or no task, the person's tasks help to read it. */
  async understand(message: string): Promise<Reply> {
    const intents = parseIntents(message)
    if (!intents.every(isDoubtful)) return this.answer(intents)
    const tasks = await this.#allTasks()
    if (!Array.isArray(tasks)) return this.answer(intents)
    const isClear = intents.every(
      (intent) => isAboutTask(intent) && intent.task && isKnown(tasks, intent.task),
    )
    if (isClear && !intents.some(namesSeveral)) return this.answer(intents)
    const apart = intents.flatMap((intent) => eachNamed(intent, tasks))
    if (apart.length > intents.length) return this.answer(apart)
    const grounded = groundIntents(message, tasks, isQuestion(message))
    if (isClear && grounded.length <= intents.length) return this.answer(intents)
    return this.answer(grounded.length > 0 ? grounded : intents)
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
    const { thanks, cannotRemind } = this.#words
    switch (intent.kind) {
      case 'add':
        return intent.title ? this.#add(intent, intent.title) : { text: askTitle, asks: 'title' }
      case 'list':
        return intent.plan ? this.#listLike(intent.plan) : this.#list(intent.completed)
      case 'show':
      case 'plan':
      case 'complete':
      case 'reopen':
      case 'delete':
      case 'update':
        return this.#aboutTask(intent)
      case 'why':
      case 'asked':
      case 'fate':
      case 'find':
        return this.#question(intent)
      case 'thanks':
        return { text: thanks }
      case 'remind':
        return { text: cannotRemind }
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

  async #add(
    { description, plan, isReminder }: Extract<Intent, { kind: 'add' }>,
    title: string,
  ): Promise<Step> {
    const result = await this.#call('add_task', {
      title: title.charAt(0).toUpperCase() + title.slice(1),
      ...(description ? { description } : {}),
    })
    const { task } = (result.value ?? {}) as { task?: KnownTask }
    const planned = task && plan && (await this.#call('plan_task', { task_id: task.id, ...plan }))
    const said = this.#said(planned ?? result, (value) => this.#words.added(value.task))
    const note = isReminder && result.success ? this.#words.cannotRemind : ''
    return { text: joined(said.text, note) }
  }

  async #listLike({ state, priority, labels = [] }: Plan): Promise<Step> {
    const all = await this.#allTasks()
    if (!Array.isArray(all)) return { text: this.#words.failed(all) }
    const [label] = labels
    const tasks = all.filter(
      (task) =>
        !task.completed &&
        (state === undefined || (task.state ?? 'open') === state) &&
        (priority === undefined || (task.priority ?? 'normal') === priority) &&
        (label === undefined || task.labels?.some((one) => one.toLowerCase() === label)),
    )
    return { text: listText({ tasks, total: tasks.length }, this.#words, undefined, true) }
  }

  /** What the dialogs and the project say; a question about a thing may be one about a task. */
  async #question(
    intent: Extract<Intent, { kind: 'why' | 'asked' | 'fate' | 'find' }>,
  ): Promise<Step> {
    const words = 'words' in intent ? intent.words || this.#topicBefore(intent.kind) : ''
    const isBoth = intent.kind === 'fate' || intent.kind === 'find'
    const all = isBoth && words !== '' ? await this.#allTasks() : []
    const tasks = Array.isArray(all) && words !== '' ? findTasks(all, { words }) : []
    const shown = tasks.map((task) => detailsText(task, this.#words))
    if (intent.kind === 'fate' && shown.length > 0) return { text: shown.join('\n') }
    const asked = 'words' in intent ? { ...intent, words } : intent
    const look = (tool: string, args: object) => this.#call(tool, args)
    const text = await answerQuestion(asked, look, this.#toolbox, this.#words)
    return { text: [...shown, text].join('\n\n') }
  }

  /** “What happened to it?” goes on from the question before. */
  #topicBefore(kind: Intent['kind']): string {
    const { message, history } = this.#request
    if (kind !== 'fate' || !wordsOf(message).some((word) => POINTING.has(word))) return ''
    for (const { sender, content } of history.toReversed()) {
      if (sender !== 'user') continue
      const [before] = parseIntents(content)
      if ('words' in before && before.words) return before.words
    }
    return ''
  }

  async #list(completed?: boolean): Promise<Step> {
    const result = await this.#call('list_tasks', completed === undefined ? {} : { completed })
    if (!result.success) return { text: this.#words.failed(result) }
    const found = result.value as { tasks: KnownTask[]; total: number }
    return { text: listText(found, this.#words, completed) }
  }

  /** Finds the one task that is meant, or asks. */
  async #aboutTask(intent: TaskIntent): Promise<Step> {
    const { kind } = intent
    const { lastTask } = this.#request
    const isIt = intent.task !== undefined && 'it' in intent.task
    const reference = isIt ? lastTask && { id: lastTask } : intent.task
    const isForEach = kind === 'complete' || kind === 'reopen' || kind === 'delete'
    if (!reference || ('all' in reference && !isForEach))
      return { text: this.#words.whichTask(kind), asks: 'task' }
    const all = await this.#allTasks()
    if (!Array.isArray(all)) return { text: this.#words.failed(all) }
    if ('all' in reference && isForEach)
      return this.#everyTask(kind, reference.completed ? all.filter(isCompleted) : all)
    const found = findTasks(all, reference)
    if (kind === 'show' && found.length > 1)
      return { text: listText({ tasks: found, total: found.length }, this.#words) }
    const likely = found.filter(({ completed }) => completed === (kind === 'reopen'))
    const isSure = (kind !== 'complete' && kind !== 'reopen') || likely.length === 0
    const candidates = isSure ? found : likely
    const [only] = candidates
    if (!only) return { text: this.#words.notFound(reference) }
    if (candidates.length > 1) {
      const choices = candidates.slice(0, MAX_SHOWN).map(({ id, title }) => `· ${id}  ${title}`)
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
      const lines = wanted.map((task) => line(task, this.#words))
      return { text: [this.#words.heading(all.length), ...lines].join('\n'), each }
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
    if (intent.kind === 'show') return { text: detailsText(task, this.#words) }
    if (intent.kind === 'plan') return this.#plan(task, intent.plan)
    if (intent.kind === 'update') return this.#update(intent, task)
    const [tool, args] = callFor(intent.kind, task.id)
    if (intent.kind === 'delete') return this.#delete({ name: tool, args })
    const said = intent.kind === 'complete' ? completed : reopened
    return this.#said(await this.#call(tool, args), (value) => said(value.task))
  }

  async #plan({ id }: KnownTask, plan: Plan): Promise<Step> {
    const result = await this.#call('plan_task', { task_id: id, ...plan })
    return this.#said(result, ({ task }) => detailsText(task, this.#words))
  }

  async #update(intent: Extract<TaskIntent, { kind: 'update' }>, task: KnownTask): Promise<Step> {
    const { description } = intent
    const wanted = titleFor(intent, task)
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
    for (let offset = 0; offset < MAX_TASKS; offset += PAGE) {
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

function isCompleted({ completed }: KnownTask): boolean {
  return completed
}

function isAboutTask(intent: Intent): intent is TaskIntent {
  return ['complete', 'reopen', 'delete', 'update', 'plan', 'show'].includes(intent.kind)
}

/** Nothing is lost by reading it once more: no rule read it, or all of it is about tasks that may not be there. */
function isDoubtful(intent: Intent): boolean {
  return intent.kind === 'unknown' || (isAboutTask(intent) && intent.kind !== 'update')
}

/** “Got the milk, and the bill is paid”: words that may name more than one task. */
function namesSeveral(intent: Intent): boolean {
  const words =
    isAboutTask(intent) && intent.task && 'words' in intent.task ? intent.task.words : ''
  return /[,;.]|(?:^| )(?:and|и|а)(?: |$)/iu.test(words)
}

/** “The plants and the milk” as one intent for each, where both are tasks. */
function eachNamed(intent: Intent, tasks: readonly KnownTask[]): readonly Intent[] {
  if (!isAboutTask(intent) || !intent.task || !('words' in intent.task)) return [intent]
  const parts = intent.task.words.split(/[,;]? (?:and|и) |[,;] /iu).map((words) => ({ words }))
  const areKnown = parts.every((part) => findTasks(tasks, part).length === 1)
  return areKnown ? parts.map((task) => ({ ...intent, task })) : [intent]
}

/** “Change dentist to orthodontist” means that word of the title; a text that could be a title of its own replaces it. */
function titleFor(
  { title, task: reference, inPlace }: Extract<TaskIntent, { kind: 'update' }>,
  task: KnownTask,
): string | undefined {
  if (title === undefined || !inPlace || !reference || !('words' in reference)) return title
  const words = [...task.title.matchAll(/[\p{L}\p{N}]+/gu)]
  const wanted = wordsOf(reference.words).filter((word) => !/^(?:the|my|a|an)$/.test(word))
  const hits = words.filter(([word]) => wanted.some((one) => isSameWord(one, word.toLowerCase())))
  const [first, last] = [hits[0], hits.at(-1)]
  if (!first || !last || hits.length !== wanted.length || hits.length >= words.length) return title
  const given = wordsOf(title)
  const holdsIt = hits.every(([word]) => given.includes(word.toLowerCase()))
  if (given[0] === words[0]?.[0].toLowerCase()) return title
  if (given.length >= words.length && !holdsIt) return title
  const end = last.index + last[0].length
  return `${task.title.slice(0, first.index)}${title}${task.title.slice(end)}`
}

const POINTING = new Set(
  'it that this them these those этим этой этими ними ним ней это'.split(' '),
)

function joined(...texts: readonly string[]): string {
  return texts.filter(Boolean).join(' ')
}
