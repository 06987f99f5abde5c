import { rmSync } from 'node:fs'
import { clients } from './clients/clients.ts'
import { editHooks } from './clients/edit-hooks.ts'
import { startsUs } from './clients/our-entry.ts'
import { entryWanted } from './clients/planned-edit.ts'
import { readConfiguration } from './clients/read-configuration.ts'
import { type AgentHook, recallHooks, withoutHook } from './clients/recall-hooks.ts'
import { withoutPlugin } from './clients/recall-plugins.ts'
import { sharedCommand } from './clients/server-entry.ts'
import { readJson } from './clients/with-json-value.ts'
import { LinkedFile, requireNoLink, writeWhole } from './clients/write-whole.ts'
import {
  isUnchanged,
  readRecord,
  takenBack,
  type Written,
  writeRecord,
} from './clients/written-record.ts'
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
    const before = withoutWritten(text, one)
    if (before === undefined) terminal.print(`${file} no longer has what \`secretary init\` wrote`)
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

/** To the byte if nobody changed the file since; else our part alone, found by what it says, or by the very text that we wrote. */
function withoutWritten(text: string, one: Written): string | undefined {
  if (isUnchanged(text, one)) return takenBack(text, one)
  return withoutOurs(text, one) ?? withoutText(text, one)
}

function withoutOurs(text: string, { client: id, part, came, below }: Written): string | undefined {
  if (part === 'hook') return withoutHook(text, hooksWritten(id, came))
  if (part === 'plugin') return withoutPlugin(text)
  const client = clients.find((one) => one.id === id)
  if (part === 'patience' || !client) return client?.patience?.without(text)
  // One that starts something else is somebody else's, whatever its name is.
  const isOurs = client.form
    .found(text)
    .every((entry) => startsUs(entry, entryWanted(client, below)))
  return isOurs ? client.form.without(text) : undefined
}

function hooksWritten(client: string, came: string): AgentHook[] {
  const makers = [
    { word: 'recall', make: recallHooks[client] },
    { word: 'edit-notes', make: editHooks[client] },
  ]
  return makers.flatMap(({ word, make }) =>
    make && came.includes(word) ? [make(sharedCommand())] : [],
  )
}

/** Undefined where the file would not be understood afterwards. */
function withoutText(text: string, one: Written): string | undefined {
  const before = takenBack(text, one)
  const client = clients.find(({ id }) => id === one.client)
  try {
    if (before !== undefined && one.part === 'hook') readJson(before)
    if (before !== undefined && one.part === 'server') client?.form.found(before)
    return before
  } catch {
    return undefined
  }
}
