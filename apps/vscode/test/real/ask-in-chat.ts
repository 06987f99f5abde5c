import type { VscodeWindow } from './vscode-window.ts'
import { until } from './waiting.ts'

const ATTEMPTS = 4
const PATIENCE_MS = 45_000

/** Types a request into a chat as a person does; the probe's participant calls the tool at once. */
export async function typeInChat(
  window: VscodeWindow,
  words: string,
  name: string,
  input: object,
  editor = window.page.locator('.interactive-session .chat-editor-container').last(),
  /** Whom it is typed for; inline there is nobody else. */
  participant = '@probe ',
): Promise<Record<string, unknown>> {
  await window.ask('plan', { words, name, input })
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await editor.click()
    await window.page.keyboard.press('ControlOrMeta+A')
    await window.page.keyboard.type(`${participant}${words}`)
    // A list of suggestions may be open, and would take the key for itself; inline there is none, and Escape closes the chat.
    if (participant) await window.page.keyboard.press('Escape')
    await editor.click()
    await window.page.keyboard.press('Enter')
    const answer = await answerTo(window, words)
    if (answer) return JSON.parse(answer) as Record<string, unknown>
  }
  throw new Error('The chat did not call the tool')
}

/** Has the probe's participant call a tool from within a chat. A chat that was refused stays silent: a new one asks again. */
export async function askInChat(
  window: VscodeWindow,
  words: string,
  name: string,
  input: object,
): Promise<Record<string, unknown>> {
  await until(async () => (await window.ask<number>('models')) > 0, 'the model of the chat')
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await window.ask('ask', { words, name, input })
    const answer = await answerTo(window, words)
    if (answer) return JSON.parse(answer) as Record<string, unknown>
    await window.command('workbench.action.chat.newChat')
  }
  throw new Error('The chat did not call the tool')
}

async function answerTo(window: VscodeWindow, words: string): Promise<string | undefined> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    const answer = await window.ask<{ text?: string; error?: string } | null>('inChat', { words })
    if (answer?.error) throw new Error(answer.error)
    if (answer?.text) return answer.text
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  return undefined
}
