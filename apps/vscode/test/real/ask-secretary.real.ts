import { beforeAll, describe, expect, it } from 'vitest'
import { keepWorkedDialog } from '../../../../test/support/worked-dialog.ts'
import { addTask } from './add-task.ts'
import { eventually } from './eventually.ts'
import { homeOf } from './home-of.ts'
import { openShop, type Shop } from './shop.ts'
import { until } from './waiting.ts'

const ANSWERED_WITHIN_MS = 20_000
let shop: Shop

/** Types it into a new chat as a person does, again where VS Code refused it; what was answered. */
async function answerTo(words: string, answered: RegExp): Promise<string> {
  const { page } = shop.window
  const editor = page.locator('.interactive-session .chat-editor-container').last()
  const answer = page.locator('.interactive-session .interactive-response').last()
  await until(async () => {
    await shop.window.command('workbench.action.chat.newChat')
    await editor.click()
    await page.keyboard.type(words)
    // A list of suggestions may be open, and would take the key for itself.
    await page.keyboard.press('Escape')
    await editor.click()
    await page.keyboard.press('Enter')
    return answer
      .filter({ hasText: answered })
      .waitFor({ timeout: ANSWERED_WITHIN_MS })
      .then(
        () => true,
        () => false,
      )
  }, `the answer to ${words}`)
  return answer.innerText()
}

beforeAll(async () => {
  shop = await openShop('ask-secretary')
  const project = shop.windows.project('ask-secretary')
  const asked = [{ ask: 'Wrap every parcel in paper', says: 'Wrapped.', minutesAgo: 0 }]
  keepWorkedDialog(homeOf(shop.windows, project), 'about-paper', asked, {
    lastAt: Date.now() - 300_000,
  })
  const { window } = shop
  await until(async () => (await window.ask<number>('models')) > 0, 'the model of the chat')
  await addTask(window, 'Order more paper')
  await window.command('workbench.action.chat.open')
})

describe('@secretary, typed in a real VS Code', () => {
  it('finds a request by its words, and its link opens the request', async () => {
    expect(await answerTo('@secretary parcel paper', /Wrap\s+every\s+parcel/)).toMatch(/ago\)/)
    await shop.window.page.locator('.interactive-response a', { hasText: /^1$/ }).last().click()
    await eventually(() => shop.window.ask<string[]>('tabs')).toContainEqual(
      expect.stringMatching(/^Preview 1\. Wrap every parcel/),
    )
    await shop.window.command('workbench.action.closeAllEditors')
  })

  it('says what was asked in this chat and what is left with /recall', async () => {
    const told = await answerTo('@secretary /recall', /First request/)
    expect(told).toMatch(/Open tasks\s+.*Order\s+more\s+paper/)
  })

  it('says what is open with /tasks', async () => {
    const told = await answerTo('@secretary /tasks', /Open tasks/)
    expect(told).toMatch(/\d:\s+Order\s+more\s+paper/)
  })
})
