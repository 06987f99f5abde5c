import { rmSync } from 'node:fs'
import { clients } from './clients/clients.ts'
import { readConfiguration } from './clients/read-configuration.ts'
import { withoutHook } from './clients/recall-hooks.ts'
import { withoutPlugin } from './clients/recall-plugins.ts'
import { LinkedFile, requireNoLink, writeWhole } from './clients/write-whole.ts'
import { readRecord, takenBack, type Written, writeRecord } from './clients/written-record.ts'
import type { Terminal } from './terminal.ts'

/** Takes back what `init` wrote, the last first: to the byte where a file is as it was left, else our part alone. */
export function undoInit(
  home: string,
  only: readonly string[] | undefined,
  terminal: Terminal,
): void {
  const written = readRecord(home)
  const chosen = written.filter(({ client }) => only?.includes(client) ?? true)
  if (chosen.length === 0) terminal.print('There is nothing to take back.')
  const left = chosen.toReversed().filter((one) => !isTakenBack(one, terminal))
  writeRecord(
    home,
    written.filter((one) => !chosen.includes(one) || left.includes(one)),
  )
}

function isTakenBack(one: Written, terminal: Terminal): boolean {
  const { file, below, wasMade } = one
  try {
    requireNoLink(file, below)
    const text = readConfiguration(file)
    const before = takenBack(text, one) ?? withoutOurs(text, one)
    if (before === undefined) terminal.print(`${file} has no entry for Secretary any more`)
    else if (wasMade && before.trim() === '') {
      rmSync(file)
      terminal.print(`Removed: ${file}`)
    } else {
      writeWhole(file, below, before)
      terminal.print(`Taken back: ${file}`)
    }
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    if (!(error instanceof LinkedFile || error instanceof SyntaxError)) throw error
    terminal.print(
      `${file} cannot be changed safely (${error.message}). Remove by hand:\n${one.came}`,
    )
    return false
  }
}

function withoutOurs(text: string, { client: id, part }: Written): string | undefined {
  if (part === 'hook') return withoutHook(text)
  if (part === 'plugin') return withoutPlugin(text)
  const client = clients.find((one) => one.id === id)
  return part === 'patience' ? client?.patience?.without(text) : client?.form.without(text)
}
