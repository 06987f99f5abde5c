import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { BEGUN, requestOf } from '../../test/chat-home.ts'
import { FakeWindow, told } from '../../test/fake-window.ts'
import { commands } from '../../test/vscode-fake.ts'

let here: FakeWindow

beforeEach(() => {
  here = new FakeWindow()
})

describe('the current dialog', () => {
  it('is the one that the call came from', async () => {
    here.twoDialogs()
    here.home.session(here.home.window, 'open', [{ text: 'Only this' }], { at: BEGUN - 7_200_000 })
    here.start()
    expect(await here.invoke('get_request', { index: 1 }, told('open'))).toMatchObject({
      sessionId: 'open',
      request: 'Only this',
    })
  })

  it('is known before VS Code has written it down', async () => {
    here.twoDialogs()
    here.exported = { requests: [requestOf({ requestId: 'r1', text: 'Unwritten so far' }, 0)] }
    here.start()
    expect(await here.invoke('get_request', { index: 1 }, told('brand-new'))).toMatchObject({
      success: true,
      sessionId: 'brand-new',
      request: 'Unwritten so far',
      totalRequests: 1,
    })
  })

  it('has the request that was typed while only a draft of it is on the disk', async () => {
    here.twoDialogs()
    here.home.session(here.home.window, 'draft', [], { at: BEGUN + 3_600_000 })
    here.exported = { requests: [requestOf({ requestId: 'r1', text: 'Typed just now' }, 0)] }
    here.start()
    expect(await here.invoke('get_request', { index: 1 }, told('draft'))).toMatchObject({
      success: true,
      sessionId: 'draft',
      request: 'Typed just now',
      totalRequests: 1,
    })
  })

  it('waits for VS Code to write down what it did not export', async () => {
    here.twoDialogs()
    here.home.session(here.home.window, 'late', [], { at: BEGUN + 3_600_000 })
    here.start()
    const asked = here.invoke('get_request', { index: 1 }, told('late'))
    here.home.session(here.home.window, 'late', [{ text: 'Written at last' }], { at: Date.now() })
    expect(await asked).toMatchObject({ success: true, request: 'Written at last' })
  })

  it('gains what the file lacks, joined by the ids of the requests', async () => {
    here.home.session(here.home.window, 'behind', [
      { requestId: 'r1', text: 'First', answer: 'ok' },
    ])
    here.exported = {
      requests: [
        requestOf({ requestId: 'r1', text: 'First', answer: 'ok' }, 0),
        requestOf({ requestId: 'r2', text: 'Second' }, 1),
      ],
    }
    here.start()
    expect(await here.invoke('get_request', { index: 2 }, told('behind'))).toMatchObject({
      request: 'Second',
      totalRequests: 2,
    })
    here.home.session(
      here.home.window,
      'behind',
      [
        { requestId: 'r1', text: 'First', answer: 'ok' },
        { requestId: 'r2', text: 'Second', answer: 'ok' },
        { requestId: 'r3', text: 'Third' },
      ],
      { at: Date.now() + 1000 },
    )
    await commands.executeCommand('copilotChatSecretary.refreshStatus')
    expect(await here.invoke('get_request', { index: 3 }, told('behind'))).toMatchObject({
      request: 'Third',
      totalRequests: 3,
    })
  })

  it('is looked up anew for every call, as long as VS Code writes nothing', async () => {
    here.exported = { requests: [requestOf({ requestId: 'r1', text: 'First' }, 0)] }
    here.start()
    expect(await here.invoke('get_first_request', {}, told('unwritten'))).toMatchObject({
      requestsCount: 1,
    })
    await new Promise((resolve) => setTimeout(resolve, 5))
    here.exported = {
      requests: [
        requestOf({ requestId: 'r1', text: 'First' }, 0),
        requestOf({ requestId: 'r2', text: 'Second' }, 1),
      ],
    }
    expect(await here.invoke('get_first_request', {}, told('unwritten'))).toMatchObject({
      requestsCount: 2,
    })
  })

  it('is never one of another folder', async () => {
    here.home.session(here.home.folder('elsewhere', '/elsewhere'), 'foreign', [{ text: 'x' }])
    here.start()
    expect(await here.invoke('get_first_request', {})).toEqual({
      success: false,
      error: 'No active dialog found',
    })
    expect(await here.invoke('get_first_request', { sessionId: 'foreign' })).toMatchObject({
      success: true,
    })
  })

  it('lies with the empty windows where no folder is open', async () => {
    here.home.session(here.home.empty, 'folderless', [{ text: 'What is a monad?' }])
    here.start({ folder: false })
    expect(await here.invoke('get_first_request', {})).toMatchObject({ sessionId: 'folderless' })
  })

  it('is found beside a broken and a huge file', async () => {
    here.twoDialogs()
    here.home.raw(join(here.home.window, 'broken.jsonl'), '{"kind":0,"v":{"requests":[{')
    here.home.raw(join(here.home.window, 'binary.json'), Buffer.alloc(2_000, 0xff))
    here.home.raw(
      join(here.home.window, 'huge.jsonl'),
      `{"kind":0,"v":{"requests":[]}}\n${'{"kind":1,"k":["inputState"],"v":"x"}\n'.repeat(200_000)}`,
    )
    here.start()
    expect(await here.invoke('get_request', { index: 2, sessionId: 'newest' })).toMatchObject({
      success: true,
      request: 'Say so in the log',
    })
  })
})
