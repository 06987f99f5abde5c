import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { dialogsUnderTest, noSignal } from '../../../../test/support/dialogs-service.ts'

const local = (id: string) => `vscode-chat-session://local/${Buffer.from(id).toString('base64url')}`

function house() {
  const under = dialogsUnderTest()
  const storage = dirname(dirname(under.home.vscode('v3.json', 'vs-v3.json')))
  under.home.vscode('log.jsonl', 'vs-log.jsonl')
  const state = join(storage, 'state.vscdb')
  const db = () => new DatabaseSync(state)
  /** The table as VS Code makes it. */
  const keep = (value: string | Uint8Array) => {
    const file = db()
    file.exec(
      'CREATE TABLE IF NOT EXISTS ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)',
    )
    file
      .prepare('INSERT INTO ItemTable (key, value) VALUES (?, ?)')
      .run('agentSessions.state.cache', value)
    file.close()
  }
  const archived = async () => {
    const page = { everywhere: true, limit: 9, offset: 0 }
    const { value } = await under.dialogs.listDialogs(under.caller, page, noSignal)
    const browsed = await under.dialogs.browse(under.caller, { limit: 9, offset: 0 }, noSignal)
    const listed = (value?.dialogs ?? []).map(({ sessionId, archived: is }) => [sessionId, is])
    expect(browsed.dialogs.map(({ sessionId, archived: is }) => [sessionId, is])).toEqual(listed)
    expect(listed).toHaveLength(2)
    return listed.filter(([, is]) => is).map(([id]) => id)
  }
  return { under, state, db, keep, archived }
}

describe('a chat that was archived in VS Code', () => {
  it('is marked from the moment VS Code has written it down until it is taken back', async () => {
    const { keep, archived } = house()
    expect(await archived()).toEqual([])
    keep(
      JSON.stringify([
        { resource: local('vs-v3'), archived: true, read: 1768490500000 },
        { resource: local('vs-log'), archived: false },
        { resource: 'copilotcli:/vs-log', archived: true },
      ]),
    )
    expect(await archived()).toEqual(['vs-v3'])
    keep(JSON.stringify([{ resource: local('vs-v3'), archived: false, read: 1768490600000 }]))
    expect(await archived()).toEqual([])
  })

  it('is known by the address of an older VS Code, and where the state is stored as bytes', async () => {
    const { keep, archived } = house()
    const path = `/${Buffer.from('vs-log').toString('base64')}`
    const resource = { $mid: 1, path, scheme: 'vscode-chat-session', authority: 'local' }
    keep(Buffer.from(JSON.stringify([{ resource, archived: true }])))
    expect(await archived()).toEqual(['vs-log'])
  })

  it.each([
    ['is no database', (state: string) => writeFileSync(state, 'not a database'.repeat(300))],
    ['is a folder', (state: string) => mkdirSync(state)],
    ['has no table', (state: string) => new DatabaseSync(state).exec('CREATE TABLE x (y)')],
  ])('is an ordinary one where the state %s', async (_, spoil) => {
    const { state, archived, under } = house()
    spoil(state)
    expect(await archived()).toEqual([])
    expect(under.warnings).toEqual([])
  })

  it.each(['{', '{}', '[null, 1, {"resource":7,"archived":true}]', '[{"archived":true}]'])(
    'is an ordinary one where the state says %s',
    async (value) => {
      const { keep, archived } = house()
      keep(value)
      expect(await archived()).toEqual([])
    },
  )

  it('is marked while VS Code holds the file', async () => {
    const { keep, db, archived } = house()
    keep(JSON.stringify([{ resource: local('vs-v3'), archived: true }]))
    const editor = db()
    editor.exec('BEGIN EXCLUSIVE')
    expect(await archived()).toEqual(['vs-v3'])
    editor.exec('ROLLBACK')
    editor.close()
  })

  it('keeps its mark while the state is being replaced', async () => {
    const { keep, state, archived } = house()
    keep(JSON.stringify([{ resource: local('vs-v3'), archived: true }]))
    expect(await archived()).toEqual(['vs-v3'])
    renameSync(state, `${state}.good`)
    writeFileSync(state, 'half of it')
    expect(await archived()).toEqual(['vs-v3'])
    rmSync(state)
    expect(await archived()).toEqual([])
  })
})
