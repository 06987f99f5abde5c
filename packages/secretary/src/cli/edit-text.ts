import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment } from '@secretary-mcp/core/config/environment.ts'
import { UsageError } from './command-context.ts'

/** Lets a person change a text in their editor. Where saving fails, what they wrote is kept and they are told where. */
export async function editText(
  text: string,
  save: (edited: string) => Promise<void>,
): Promise<void> {
  const { VISUAL, EDITOR } = environment()
  const [program, ...args] = (VISUAL || EDITOR || '').split(/\s+/).filter(Boolean)
  if (program === undefined)
    throw new UsageError('Set EDITOR to the editor to use, such as EDITOR=nano')
  const folder = mkdtempSync(join(tmpdir(), 'secretary-edit-'))
  const path = join(folder, 'document.md')
  writeFileSync(path, text, { mode: 0o600 })
  if (!(await succeeds(program, [...args, path]))) {
    rmSync(folder, { recursive: true, force: true })
    throw new UsageError(`${program} failed; nothing was changed`)
  }
  try {
    await save(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UsageError(
      `${error instanceof Error ? error.message : String(error)}\nWhat you wrote is kept in ${path}`,
    )
  }
  rmSync(folder, { recursive: true, force: true })
}

function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  const editor = spawn(program, args, { stdio: 'inherit' })
  return new Promise((resolve) => {
    editor.once('exit', (code) => resolve(code === 0))
    editor.once('error', () => resolve(false))
  })
}
