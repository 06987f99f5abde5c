import { beforeAll, expect, it } from 'vitest'
import { openShop, type Shop } from './shop.ts'
import { until } from './waiting.ts'

const WORDS = 'Count the parts once more'
const GET = 'chat_secretary_get_request'
let shop: Shop

beforeAll(async () => {
  shop = await openShop('ask-again')
  const asked = [{ text: `@probe ${WORDS}`, answer: 'Three.' }]
  shop.home.session(shop.chats, 'asked-before', asked, { at: Date.now() - 60_000 })
  const { window } = shop
  await until(async () => (await window.ask<number>('models')) > 0, 'the model of the chat')
  await window.command('workbench.view.extension.copilotChatSecretary')
})

it('a request is asked again, in a chat of now', async () => {
  const { window } = shop
  await window.ask('plan', { words: WORDS, name: GET, input: { index: 1 } })
  const answer = () => window.ask<{ text?: string } | null>('inChat', { words: WORDS })
  await window.choose(
    /^Request 1,.*Count the parts/,
    'Ask Again',
    async () => (await answer())?.text !== undefined,
  )
  const told = JSON.parse((await answer())?.text ?? '{}') as Record<string, unknown>
  expect(told).toMatchObject({ success: true, request: expect.stringContaining(WORDS) })
  expect(told.sessionId).not.toBe('asked-before')
})
