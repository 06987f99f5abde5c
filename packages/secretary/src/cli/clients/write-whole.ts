import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** A link stands where a file or a folder was expected: whoever made it would choose what we write to. */
export class LinkedFile extends Error {
  readonly path: string

  constructor(path: string) {
    super(`${path} is a link`)
    this.path = path
  }
}

/**
 * No link may stand between the folder that the person chose, the project or the home, and the file. That refuses
 * also links that would do no harm: which of them do is decided by others, and can change while we look.
 */
export function requireNoLink(file: string, below: string): void {
  let path = below
  for (const part of relative(below, file).split(sep)) {
    path = join(path, part)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isSymbolicLink()) throw new LinkedFile(path)
    if (!found) return
  }
}

/** Whole or not at all: a torn configuration would lock the person out of their own agent. */
export function writeWhole(file: string, below: string, text: string): void {
  requireNoLink(file, below)
  mkdirSync(dirname(file), { recursive: true })
  requireNoLink(file, below)
  // Nobody can put something under a name that nobody can guess, and `wx` takes nothing that is there.
  const draft = join(dirname(file), `.${randomBytes(12).toString('hex')}.tmp`)
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: modeOf(file) })
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

function modeOf(file: string): number {
  const found = lstatSync(file, { throwIfNoEntry: false })
  return found ? found.mode & 0o777 : 0o666
}
