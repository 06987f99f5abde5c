import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type DeedsHouse, deedsHouse } from '../../../../../test/support/deeds-house.ts'
import { noSignal } from '../../../../../test/support/dialogs-service.ts'

interface Call {
  readonly name: string
  readonly input: object
}

const GREET = 'export function greet(name) {\n  return welcome(name)\n}\n'
const write = (path: string, content = GREET): Call => ({
  name: 'Write',
  input: { file_path: path, content },
})

/** A session that was asked for these things in a folder, with what was done for each. */
function said(house: DeedsHouse, session: string, cwd: string, turns: readonly [string, Call[]][]) {
  let id = 0
  let minute = 0
  const records = turns.flatMap(([request, calls]) => {
    const timestamp = new Date(Date.UTC(2026, 0, 15, 10, minute++)).toISOString()
    const record = (type: string, content: unknown) => ({
      ...{ type, timestamp, cwd },
      message: { role: type, content },
    })
    return [
      record('user', request),
      ...calls.flatMap(({ name, input }) => {
        const call = `t${++id}`
        return [
          record('assistant', [{ type: 'tool_use', id: call, name, input }]),
          record('user', [{ type: 'tool_result', tool_use_id: call, content: 'ok' }]),
        ]
      }),
    ]
  })
  house.home.claude(
    `${session}.jsonl`,
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  )
}

async function notesAbout({ dialogs, caller }: DeedsHouse, path: string): Promise<string[]> {
  dialogs.index.invalidate()
  return (await dialogs.deeds.editNotes(caller, path, noSignal)).map(({ text }) => text)
}

it('knows a file however often it was read since', async () => {
  const house = deedsHouse()
  const file = join(house.home.project, 'src/greet.ts')
  said(house, 'a', house.home.project, [['From now on keep the greeting short.', [write(file)]]])
  const reads = Array.from({ length: 400 }, () => ({ name: 'Read', input: { file_path: file } }))
  said(house, 'b', house.home.project, [['Look at it', reads]])
  expect(await notesAbout(house, 'src/greet.ts')).toEqual(['From now on keep the greeting short.'])
})

it('tells no password that a request had in it', async () => {
  const house = deedsHouse()
  const file = join(house.home.project, 'src/greet.ts')
  const asked = 'From now on greet with the password Wombat77! and nothing else.'
  said(house, 'a', house.home.project, [[asked, [write(file)]]])
  const notes = await notesAbout(house, 'src/greet.ts')
  expect(notes.join()).toContain('[redacted:secret]')
  expect(notes.join()).not.toContain('Wombat77')
})

it('knows a file that was changed in a dialog of a folder below', async () => {
  const house = deedsHouse()
  const folder = join(house.home.project, 'packages/a')
  mkdirSync(folder, { recursive: true })
  said(house, 'a', folder, [
    ['From now on keep the greeting short.', [write(join(folder, 'greet.ts'))]],
  ])
  expect(await notesAbout(house, 'packages/a/greet.ts')).toHaveLength(1)
})

it('knows a file that was moved since', async () => {
  const house = deedsHouse()
  const file = join(house.home.project, 'greet.ts')
  house.home.write(file, GREET)
  said(house, 'a', house.home.project, [['From now on keep the greeting short.', [write(file)]]])
  renameSync(file, join(house.home.project, 'welcome.ts'))
  expect(await notesAbout(house, 'welcome.ts')).toHaveLength(1)
})

it('leaves out what a later request took back', async () => {
  const house = deedsHouse()
  const file = join(house.home.project, 'greet.ts')
  said(house, 'a', house.home.project, [
    ['From now on always indent with spaces here.', [write(file)]],
    ['Use tabs after all.', [write(file, GREET.replaceAll('  ', '\t'))]],
  ])
  expect(await notesAbout(house, 'greet.ts')).toEqual(['Use tabs after all.'])
})
