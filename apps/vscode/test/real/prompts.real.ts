import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { openShop, type Shop } from './shop.ts'
import { until } from './waiting.ts'

let shop: Shop

/** Types into the chat until VS Code suggests something that begins so. */
async function suggestionFor(words: string, suggested: RegExp): Promise<string> {
  const { page } = shop.window
  const row = page.locator('.suggest-widget .monaco-list-row').filter({ hasText: suggested })
  const input = page.locator('.interactive-session .chat-editor-container').last()
  await until(async () => {
    await input.click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.press('Delete')
    await page.keyboard.type(words)
    return row
      .first()
      .waitFor({ timeout: 10_000 })
      .then(
        () => true,
        () => false,
      )
  }, `the suggestion for ${words}`)
  const label = await row.first().getAttribute('aria-label')
  await page.keyboard.press('Escape')
  return label ?? ''
}

beforeAll(async () => {
  shop = await openShop('prompts')
  await until(async () => (await shop.window.ask<number>('models')) > 0, 'the model of the chat')
  await shop.window.command('workbench.action.chat.open')
})

describe('what the chat of a real VS Code suggests', () => {
  it('is the prompt for an agent whose context was compressed', async () => {
    expect(await suggestionFor('/after', /after-compaction/)).toContain('after-compaction')
  })

  it('is the set of our tools, once it was added', async () => {
    await shop.window.command('copilotChatSecretary.addToolSet')
    const file = join(shop.windows.user, 'prompts', 'secretary.toolsets.jsonc')
    const { secretary } = JSON.parse(readFileSync(file, 'utf8')) as {
      secretary: { tools: string[] }
    }
    expect(secretary.tools).toEqual(
      manifest.contributes.languageModelTools.map(({ toolReferenceName }) => toolReferenceName),
    )
    await shop.window.command('workbench.action.chat.open')
    expect(await suggestionFor('#secretary', /^secretary(?![A-Z])/)).toMatch(/secretary/)
  })
})
