import type { VscodeWindow } from './vscode-window.ts'

/** As a person adds one, until its row is in the view: the server behind it is up then. */
export async function addTask(window: VscodeWindow, title: string): Promise<void> {
  await window.command('workbench.view.extension.copilotChatSecretary')
  // It answers once the person has typed.
  window.command('copilotChatSecretary.addTask').catch(() => {})
  await window.page.locator('.quick-input-widget input').fill(title)
  await window.page.keyboard.press('Enter')
  await window.command('copilotChatSecretary.tasks.focus')
  await window.view('Tasks').getByRole('treeitem', { name: title }).waitFor()
}
