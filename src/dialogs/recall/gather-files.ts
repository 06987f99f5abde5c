import { existsSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { pathFrom, plainFolder } from '../deeds/deed-path.ts'
import type { StoredDeed } from '../deeds/deed-store.ts'
import type { Dialog, Mark } from '../dialog.ts'
import { linesOf } from '../reading/lines.ts'
import type { ReadContext } from '../source.ts'
import { fileNamesIn, importedNames } from './file-names.ts'
import { FilesAtHand, touchOf } from './files-at-hand.ts'

/** Older parts of a long transcript say little about what comes next. */
const MOST_BYTES = 8 << 20
const LONGEST_LINE = 400_000

interface Dialogue {
  readonly dialog: Dialog
  readonly marks: readonly Mark[]
  /** Oldest first. */
  readonly deeds: readonly StoredDeed[]
  readonly context: ReadContext
}

/** The files that a dialog is about, the likeliest first. */
export async function gatherFiles({ dialog, marks, deeds, context }: Dialogue): Promise<string[]> {
  const files = new FilesAtHand()
  const { chatJsonPath: path = '', project = '' } = dialog
  const folders = project === '' ? [] : [plainFolder(project)]
  const left = [...deeds]
  let ending = '.ts'
  const takeDeeds = (until: (deed: StoredDeed) => boolean) => {
    while (left[0] && until(left[0])) {
      const deed = left.shift()
      const touch = deed && touchOf(deed)
      if (deed && !deed.isHelper) files.step()
      if (deed?.path && touch) {
        files.touch(deed.path, touch)
        ending = extname(deed.path) || ending
      }
    }
  }
  if (path.endsWith('.jsonl')) {
    const asked = new Set(marks.map(({ at }) => at))
    let time = 0
    for await (const lines of linesOf(path, Math.max(0, dialog.size - MOST_BYTES), context)) {
      for (const { bytes, at } of lines) {
        if (asked.has(at)) files.step()
        time = Math.max(time, lastTime(marks, at))
        takeDeeds((deed) => (deed.isHelper ? (deed.since ?? deed.time) <= time : deed.at <= at))
        if (bytes.length > LONGEST_LINE) continue
        const text = bytes.toString('utf8')
        const names = fileNamesIn(text)
        for (const name of names)
          files.touch(pathFrom(name, folders), asked.has(at) ? 'asked' : 'named')
        for (const name of importedNames(text, ending)) files.touch(name, 'named')
      }
    }
  }
  takeDeeds(() => true)
  const isThere = existsSync(project)
  return files.ranked((file) => !isThere || existsSync(resolve(project, file)))
}

function lastTime(marks: readonly Mark[], at: number): number {
  return marks.findLast((mark) => mark.at === at)?.time ?? 0
}
