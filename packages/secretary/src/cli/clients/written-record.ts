import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from './write-whole.ts'

/** One change that `init` made to a file, as what came and what went: never more of a file than that. */
export interface Written {
  readonly file: string
  /** The folder that the person chose, and in which the file is. */
  readonly below: string
  readonly client: string
  readonly part: 'server' | 'patience' | 'hook' | 'plugin'
  readonly wasMade: boolean
  readonly at: number
  readonly gone: string
  readonly came: string
  /** Of the whole file as it was written. */
  readonly print: string
}

export function changeOf(
  before: string,
  after: string,
): Pick<Written, 'at' | 'gone' | 'came' | 'print'> {
  let at = 0
  while (at < Math.min(before.length, after.length) && before[at] === after[at]) at++
  let end = 0
  while (
    end < Math.min(before.length, after.length) - at &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++
  return {
    at,
    gone: before.slice(at, before.length - end),
    came: after.slice(at, after.length - end),
    print: printOf(after),
  }
}

/** Whether a file is as it was left. */
export function isUnchanged(text: string, { print }: Pick<Written, 'print'>): boolean {
  return printOf(text) === print
}

/** The text as it was, to the byte where nobody changed it since; undefined where what came is no longer there as it was. */
export function takenBack(text: string, { at, gone, came, print }: Written): string | undefined {
  const place = isUnchanged(text, { print }) ? at : text.indexOf(came)
  const isUnclear = place === -1 || (place !== at && text.indexOf(came, place + 1) !== -1)
  return isUnclear ? undefined : text.slice(0, place) + gone + text.slice(place + came.length)
}

function printOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const NAME = 'init.json'

export function readRecord(home: string): Written[] {
  try {
    const found: unknown = JSON.parse(readFileSync(join(home, NAME), 'utf8'))
    return Array.isArray(found) ? found : []
  } catch {
    return []
  }
}

/** With nothing written any more nothing is left of it, nor of a home that holds nothing else. */
export function writeRecord(home: string, written: readonly Written[]): void {
  if (written.length === 0) {
    rmSync(join(home, NAME), { force: true })
    if (existsSync(home) && readdirSync(home).length === 0) rmdirSync(home)
    return
  }
  writeWhole(join(home, NAME), home, `${JSON.stringify(written, null, 2)}\n`)
}
