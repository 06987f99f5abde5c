import { copyFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ChatHome } from '../chat-home.ts'
import type { VscodeWindow } from './vscode-window.ts'
import { Windows } from './windows.ts'

const mutationLog = fileURLToPath(
  new URL('../../../../test/samples/dialogs/vscode/log.jsonl', import.meta.url),
)
/** Lately, as the pictures show it. */
export const BEGUN = Date.now() - 20 * 60_000
export const LONG = `Let customers pay an invoice in parts. ${'Every part must appear on the receipt, with its date. '.repeat(4)}`
export const ASKED = [
  {
    text: LONG,
    answer:
      'A payment now belongs to an invoice and has an amount and a date.\n\nThe receipt lists them in order.',
  },
  {
    text: 'Round to whole cents, never in our favour',
    answer: 'Each part is rounded down; the last one takes the rest.',
  },
  { text: 'Add the test for three parts of 100.00', answer: 'Added: 33.33, 33.33 and 33.34.' },
]

/** A window over a folder in which a web shop is being written, with chats in it and in another folder. */
export interface Shop {
  readonly windows: Windows
  readonly window: VscodeWindow
  readonly home: ChatHome
  /** Where VS Code keeps the chats of this window. */
  readonly chats: string
  getRequest(input: unknown): Promise<Record<string, unknown>>
  getFirstRequest(input: unknown): Promise<Record<string, unknown>>
}

/** Each file of tests opens its own, told apart by the name. */
export async function openShop(name: string, language?: string): Promise<Shop> {
  const windows = await Windows.start()
  const project = windows.project(name)
  const window = await windows.open(project, language)
  const { storage = '' } = await window.ask<{ storage?: string }>('info')
  const home = new ChatHome(windows.user, project)
  const chats = join(dirname(storage), 'chatSessions')
  home.session(
    chats,
    `${name}-older`,
    [{ text: 'Rename Bill to Invoice', answer: 'Renamed in 14 files.' }],
    { at: BEGUN - 9e7 },
  )
  home.session(chats, `${name}-empty`, [], { at: BEGUN - 8e6 })
  home.session(chats, `${name}-parts`, ASKED, { title: 'Pay in parts', at: BEGUN })
  const elsewhere = home.folder('elsewhere', '/elsewhere')
  // The newest of all: a short view shows only the first rows, and tests that share a home add others.
  const asked = [{ text: 'Something in another folder', answer: 'Yes.' }]
  home.session(elsewhere, 'elsewhere', asked, { at: BEGUN + 300_000 })
  copyFileSync(mutationLog, join(elsewhere, 'vs-log.jsonl'))
  return {
    windows,
    window,
    home,
    chats,
    getRequest: (input) => window.invoke('chat_secretary_get_request', input),
    getFirstRequest: (input) => window.invoke('chat_secretary_get_first_request', input),
  }
}
