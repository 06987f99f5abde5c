import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type DialogsUnderTest,
  dialogsUnderTest,
  noSignal,
  requestsNow,
} from '../../../../test/support/dialogs-service.ts'
import { liveFolder } from './vscode-live.ts'

const asked = (requestId: string, text: string) => ({
  requestId,
  timestamp: 1768490000000,
  message: { text },
  response: [{ value: `Answer to ${text}` }],
})
const state = (...requests: object[]) =>
  `${JSON.stringify({ kind: 0, v: { version: 3, sessionId: 'a', requests } })}\n`

/** A chat on the disk, and a copy of it as the extension takes it. */
function house() {
  const under = dialogsUnderTest()
  const user = under.home.path('.config', 'Code', 'User')
  const path = under.home.vscode('v1.json', 'a.jsonl')
  const copyFile = join(liveFolder(user), 'a.json')
  const copy = (takenAt: number, ...requests: object[]) =>
    under.home.write(copyFile, JSON.stringify({ path, takenAt, requests }))
  return { ...under, path, copy, copyFile }
}

async function answersOf({ dialogs, caller }: Pick<DialogsUnderTest, 'dialogs' | 'caller'>) {
  const dialog = await dialogs.require(caller, 'a', noSignal)
  const answers: unknown[] = []
  for await (const { answer } of dialogs.texts.turns(dialog)) answers.push(answer)
  return answers
}

describe('a chat that VS Code has in memory', () => {
  it('counts while only a draft of it is on the disk', async () => {
    const under = house()
    under.home.write(under.path, state())
    under.copy(Date.now() + 1000, asked('r1', 'Typed just now'))
    expect(await requestsNow(under, 'a')).toEqual(['Typed just now'])
    expect(await answersOf(under)).toEqual(['Answer to Typed just now'])
  })

  it('belongs to the folder of its window before there is a file at all', async () => {
    const under = house()
    rmSync(under.path)
    under.copy(Date.now(), asked('r1', 'Unwritten'))
    const { dialogs } = under
    const dialog = await dialogs.require(under.caller, 'a', noSignal)
    expect(dialog).toMatchObject({ project: under.home.project, requestsCount: 1 })
  })

  it('adds what the file lacks, and ends once the file has it', async () => {
    const under = house()
    under.home.write(under.path, state(asked('r1', 'one')))
    under.copy(Date.now() + 1000, asked('r1', 'one'), asked('r2', 'two'))
    expect(await requestsNow(under, 'a')).toEqual(['one', 'two'])
    under.copy(1, asked('r1', 'one'), asked('r2', 'two'))
    under.home.write(
      under.path,
      state(asked('r1', 'one'), asked('r2', 'two'), asked('r3', 'three')),
    )
    expect(await requestsNow(under, 'a')).toEqual(['one', 'two', 'three'])
  })

  it('is read from the file again where its copy is gone', async () => {
    const under = house()
    under.home.write(under.path, state(asked('r1', 'one')))
    under.copy(Date.now() + 1000, asked('r1', 'one'), asked('r2', 'taken back'))
    expect(await requestsNow(under, 'a')).toEqual(['one', 'taken back'])
    rmSync(under.copyFile)
    expect(await requestsNow(under, 'a')).toEqual(['one'])
  })

  it('speaks for no file outside its editor, and a broken copy for none', async () => {
    const under = house()
    under.home.write(under.path, state(asked('r1', 'one')))
    const other = join(dirname(under.copyFile), 'b.json')
    const foreign = { path: '/etc/passwd', takenAt: Date.now(), requests: [asked('r9', 'x')] }
    under.home.write(other, JSON.stringify(foreign))
    under.home.write(under.copyFile, '{"path":')
    expect(await requestsNow(under, 'a')).toEqual(['one'])
    expect(
      await under.dialogs.browse(under.caller, { limit: 9, offset: 0 }, noSignal),
    ).toMatchObject({ total: 1 })
  })
})

describe('the folder of a chat of a VS Code in the browser', () => {
  const projectAfter = async (notes: Readonly<Record<string, object>>) => {
    const under = house()
    under.home.write(under.path, state(asked('r1', 'one')))
    const storage = dirname(dirname(under.path))
    rmSync(join(storage, 'workspace.json'))
    for (const [name, note] of Object.entries(notes))
      under.home.write(join(storage, name), JSON.stringify(note))
    const { project } = await under.dialogs.require(under.caller, 'a', noSignal)
    return { project, here: under.home.project }
  }

  it('is the one that the extension noted', async () => {
    const folder = 'vscode-remote://127.0.0.1:8080/srv/shop'
    const { project } = await projectAfter({
      'secretary.copilot-chat-secretary/workspace.json': { folder },
      'meta.json': { id: '1bafe1e3', name: 'project' },
    })
    expect(project).toBe('/srv/shop')
  })

  it('is told by meta.json: its workspace file, or the folder of the same name that we work in', async () => {
    const configuration = 'vscode-remote://127.0.0.1:8080/srv/shop/shop.code-workspace'
    const named = await projectAfter({ 'meta.json': { id: '1', configuration } })
    expect(named.project).toBe('/srv/shop')
    const { project, here } = await projectAfter({ 'meta.json': { id: '1', name: 'project' } })
    expect(project).toBe(here)
    const other = await projectAfter({ 'meta.json': { id: '1', name: 'another' } })
    expect(other.project).toBeUndefined()
  })
})
