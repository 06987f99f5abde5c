import { expect, it } from 'vitest'
import { eventually } from './eventually.ts'
import { openShop } from './shop.ts'

it('the extension speaks Russian in a VS Code that does', async () => {
  const { window } = await openShop('language', 'ru')
  await window.command('workbench.view.extension.copilotChatSecretary')
  const rows = () =>
    window.page
      .locator('.pane .monaco-list-row')
      .evaluateAll((all) => all.map((row) => row.getAttribute('aria-label')))
  await eventually(rows).toEqual(
    expect.arrayContaining(['Состояние: есть ответ', 'Уже задано: 3 запроса']),
  )
  await eventually(rows).toContainEqual(expect.stringMatching(/^Запрос 2, .* назад: Round to/))
})
