import { expect, it } from 'vitest'
import { askInChat } from './ask-in-chat.ts'
import { openShop } from './shop.ts'

it('a dialog of VS Code opens in its chat again', async () => {
  const { window } = await openShop('open-in-chat')
  await window.command('workbench.view.extension.copilotChatSecretary')
  const words = 'A chat to come back to'
  const answer = await askInChat(window, words, 'chat_secretary_get_request', { index: 1 })
  expect(answer).toMatchObject({ success: true })
  await window.command('workbench.action.chat.newChat')
  const shown = window.page.locator('.editor-instance').getByText('You asked:')
  expect(await shown.count()).toBe(0)
  await window.choose(
    /A chat to come back to/,
    'Open in Chat',
    async () => (await shown.count()) > 0,
    window.view('Dialogs'),
  )
})
