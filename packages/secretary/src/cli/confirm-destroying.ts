import type { Tool } from '@secretary-mcp/core/tool.ts'
import { UsageError } from './command-context.ts'
import { openQuestions } from './questions.ts'
import type { Terminal } from './terminal.ts'

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
