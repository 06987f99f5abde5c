import { createInterface } from 'node:readline'
import type { Tool } from '@secretary-mcp/core/tool.ts'
import { UsageError } from './command-context.ts'
import type { Terminal } from './terminal.ts'

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

/** Before a tool destroys something a person agrees, on the terminal or with --yes. */
export async function confirmDestroying(
  tool: Tool | undefined,
  name: string,
  terminal: Terminal,
  yes = false,
): Promise<void> {
  if (tool?.effect === 'destroy') await confirmLoss(name, terminal, yes)
}

/** Before something is gone for good. */
export async function confirmLoss(name: string, terminal: Terminal, yes = false): Promise<void> {
  if (yes) return
  if (!terminal.interactive)
    throw new UsageError(`${name} cannot be undone. Nothing was changed: add --yes to confirm.`)
  const questions = openQuestions()
  const isAgreed = await questions.isAgreed(`${name} cannot be undone. Continue? [y/N] `)
  questions.close()
  if (!isAgreed) throw new UsageError('Nothing was changed')
}
