import { window } from 'vscode'

/** Says something with one thing to do about it. Whoever says it does not wait: a message may stay for as long as the window. */
export function offer(words: string, action: string, run: () => Thenable<unknown>): void {
  window
    .showInformationMessage(words, action)
    .then((chosen) => (chosen === action ? run() : undefined))
}
