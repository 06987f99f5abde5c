import { type JsonObject, listOf, objectIn, objectOf, textOf } from '../reading/loose-json.ts'

export interface ToDo {
  readonly text: string
  readonly state: 'open' | 'doing' | 'done'
}

const LISTS =
  /^(todo_?write|update_plan|write_todos|manage_todo_list|update_todos?|set_?todo_?list)$/i
const CREATES = /^task_?create$/i
const UPDATES = /^task_?update$/i
const PLANS = /^exit_?plan_?mode$/i
const MAX_ITEMS = 40
const MAX_ITEM = 160
const MAX_PLAN = 300

/** Whether a tool keeps the agent's own list of what is left to do, or its plan. */
export function isToDoTool(name: string): boolean {
  return LISTS.test(name) || CREATES.test(name) || UPDATES.test(name) || PLANS.test(name)
}

/** What such a call says, as a deed keeps it: one record of JSON. Undefined if it says nothing that can be used. */
export function toDoText(name: string, input: JsonObject): string | undefined {
  if (PLANS.test(name)) {
    const plan = textOf(input.plan)
    return plan && JSON.stringify({ plan: plan.slice(0, MAX_PLAN) })
  }
  if (CREATES.test(name)) {
    const subject = textOf(input.subject)
    return subject && JSON.stringify({ add: subject.slice(0, MAX_ITEM) })
  }
  if (UPDATES.test(name)) {
    const id = textOf(input.taskId) ?? textOf(input.task_id)
    const state = textOf(input.status)
    return id && state ? JSON.stringify({ id, state }) : undefined
  }
  const items = listOf(input.todos ?? input.plan ?? input.todoList ?? input.items).map(objectOf)
  const list = items.slice(0, MAX_ITEMS).flatMap((item) => {
    const text = [item.content, item.step, item.description, item.title, item.text]
      .map(textOf)
      .find(Boolean)
    return text ? [{ text: text.slice(0, MAX_ITEM), state: stateOf(item) }] : []
  })
  return list.length > 0 ? JSON.stringify({ list }) : undefined
}

function stateOf({ status, completed, done }: JsonObject): ToDo['state'] {
  if (completed === true || done === true) return 'done'
  return stateNamed(String(status))
}

function stateNamed(status: string): ToDo['state'] {
  if (/^(completed?|done|finished|cancell?ed|deleted)$/i.test(status)) return 'done'
  return /^(in[-_ ]?progress|doing|active|started)$/i.test(status) ? 'doing' : 'open'
}

interface ToDoDeed {
  readonly text?: string
  readonly tail?: string
}

/** The agent's list and plan after these calls, oldest first. */
export function latestToDos(deeds: readonly ToDoDeed[]): { list: ToDo[]; plan?: string } {
  let list: ToDo[] = []
  let plan: string | undefined
  const created = new Map<string, ToDo>()
  for (const { text = '', tail = '' } of deeds) {
    const said = objectIn(text)
    plan = textOf(said.plan) ?? plan
    if (Array.isArray(said.list)) {
      list = said.list.map(objectOf).map((item) => ({
        text: String(item.text),
        state: stateNamed(String(item.state)),
      }))
      created.clear()
    }
    const added = textOf(said.add)
    // The program names the new item in its answer; without that, later updates cannot be told apart.
    const number = /#(\d+)/.exec(tail)?.[1]
    if (added !== undefined && number !== undefined)
      created.set(number, { text: added, state: 'open' })
    const item = created.get(textOf(said.id) ?? '')
    if (item) created.set(String(said.id), { ...item, state: stateNamed(String(said.state)) })
  }
  return { list: created.size > 0 ? [...created.values()] : list, ...(plan ? { plan } : {}) }
}
