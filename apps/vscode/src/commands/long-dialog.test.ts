import { beforeEach, describe, expect, it } from 'vitest'
import { FakeWindow } from '../../test/fake-window.ts'
import { commands, seen } from '../../test/vscode-fake.ts'
import { otherAgents } from '../sessions/other-agents.ts'

const LENGTH = 2_050
const run = (name: string, ...args: unknown[]) =>
  commands.executeCommand(`copilotChatSecretary.${name}`, ...args)

describe('a dialog that is longer than its view', () => {
  beforeEach(() => {
    const here = new FakeWindow()
    const asked = Array.from({ length: LENGTH }, (_, place) => ({ text: `Step ${place + 1}` }))
    here.home.session(here.home.window, 'long', asked)
    here.start()
  })

  it('is exported and copied whole', async () => {
    await run('exportMarkdown')
    const [{ content } = { content: '' }] = seen.documents
    expect(content.match(/^## \d+\. Request/gm)).toHaveLength(LENGTH)
    await run('copyChatJson')
    expect(JSON.parse(seen.clipboard).requests).toHaveLength(LENGTH)
    expect(await run('api.getSession', 'long')).toMatchObject({
      requests: expect.objectContaining({
        length: LENGTH,
        0: expect.objectContaining({ index: 1 }),
      }),
    })
  })

  it('has every request opened that something leads to', async () => {
    const opened: string[] = []
    seen.commands.set('markdown.showPreview', (uri) => {
      opened.push((uri as { path: string }).path)
    })
    await run('openRequest', 'long', 1)
    await run('openRequest', 'long', LENGTH)
    expect(opened).toEqual(['/1. Step 1.md', `/${LENGTH}. Step ${LENGTH}.md`])
    await run('openRequest', 'long', LENGTH + 1)
    expect(seen.shown).toEqual(['This request is not on this machine any more.'])
  })
})

describe('a long dialog of another agent', () => {
  it('is read from the place that is asked for', async () => {
    const asked: string[] = []
    const main = {
      get: async (path: string, { offset, limit }: { offset: number; limit: number }) => {
        asked.push(`${path} ${offset} ${limit}`)
        const places = Array.from(
          { length: Math.max(0, Math.min(limit, 120 - offset)) },
          (_, place) => offset + place + 1,
        )
        return path === 'dialogs/thread'
          ? {
              requests: places.map((index) => ({ index, timestamp: 0, request: `Step ${index}` })),
              total: 120,
            }
          : { answers: [] }
      },
    }
    const others = otherAgents({ main } as never, { warn() {} } as never)
    const dialog = { sessionId: 's', source: 'codex', requestsCount: 120 } as never
    const all = await others.turns(dialog, { from: 1 })
    expect(all.map(({ position }) => position)).toEqual(
      Array.from({ length: 120 }, (_, place) => place + 1),
    )
    asked.length = 0
    const [one, ...more] = await others.turns(dialog, { from: 7, to: 7 })
    expect(one).toMatchObject({ position: 7, request: 'Step 7' })
    expect(more).toEqual([])
    expect(asked).toEqual(['dialogs/thread 6 1', 'dialogs/answers 6 1'])
  })
})
