import { describe, expect, it } from 'vitest'
import { latestToDos, toDoText } from './to-dos.ts'

const call = (name: string, input: object) => ({ text: toDoText(name, { ...input }) })

describe('an agent’s own to-do list', () => {
  it.each([
    ['TodoWrite', { todos: [{ content: 'Add a test', status: 'in_progress' }] }],
    ['update_plan', { plan: [{ step: 'Add a test', status: 'in_progress' }] }],
    ['write_todos', { todos: [{ description: 'Add a test', status: 'in_progress' }] }],
    ['manage_todo_list', { todoList: [{ title: 'Add a test', status: 'in-progress' }] }],
  ])('is read from %s', (name, input) => {
    expect(latestToDos([call(name, input)]).list).toEqual([{ text: 'Add a test', state: 'doing' }])
  })

  it('is the last one that was written', () => {
    const first = call('TodoWrite', { todos: [{ content: 'a', status: 'pending' }] })
    const second = call('TodoWrite', { todos: [{ content: 'b', status: 'completed' }] })
    expect(latestToDos([first, second]).list).toEqual([{ text: 'b', state: 'done' }])
  })

  it('is put together from single items by the numbers that the program gave them', () => {
    const deeds = [
      { ...call('TaskCreate', { subject: 'Sort' }), tail: 'Task #4 created successfully: Sort' },
      { ...call('TaskCreate', { subject: 'Test' }), tail: 'Task #5 created successfully: Test' },
      call('TaskUpdate', { taskId: '4', status: 'completed' }),
      call('TaskCreate', { subject: 'Lost' }),
    ]
    expect(latestToDos(deeds).list).toEqual([
      { text: 'Sort', state: 'done' },
      { text: 'Test', state: 'open' },
    ])
  })

  it('comes with the last plan', () => {
    expect(latestToDos([call('ExitPlanMode', { plan: '# Sort tasks\n\nBy date.' })])).toEqual({
      list: [],
      plan: '# Sort tasks\n\nBy date.',
    })
  })
})
