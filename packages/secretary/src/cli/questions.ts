import { createInterface } from 'node:readline'

export interface Questions {
  /** The next line; undefined where the input has ended or the person pressed Ctrl-C or Ctrl-D. */
  ask(prompt: string): Promise<string | undefined>
  isAgreed(prompt: string): Promise<boolean>
  /** Until the returned function is called, Ctrl-C means this and not the end. */
  onInterrupt(listener: () => void): () => void
  close(): void
}

/** Asks a person, or whatever writes into the pipe: no line is lost that came before it was asked for. */
export function openQuestions(): Questions {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const waiting: string[] = []
  let isClosed = false
  let wake = () => {}
  lines.on('line', (line) => {
    waiting.push(line)
    wake()
  })
  lines.on('close', () => {
    isClosed = true
    wake()
  })
  const ask = async (prompt: string) => {
    if (!isClosed) {
      lines.setPrompt(prompt)
      lines.prompt()
    }
    while (waiting.length === 0 && !isClosed)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return waiting.shift()
  }
  return {
    ask,
    isAgreed: async (prompt) => /^y(es)?$/i.test((await ask(prompt))?.trim() ?? ''),
    onInterrupt(listener) {
      lines.on('SIGINT', listener)
      return () => lines.off('SIGINT', listener)
    },
    close: () => lines.close(),
  }
}
