import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readRegular } from '@secretary-mcp/core/files/read-regular.ts'
import { linesOf } from '@secretary-mcp/transcripts/deeds/changed-lines.ts'
import { printsOf } from '@secretary-mcp/transcripts/deeds/line-print.ts'
import type { PlacedDeed } from '../deeds/deeds-of-dialog.ts'

const LARGEST = 4 << 20

/** Which lines a file has now; empty where it is gone. */
export class PresentFiles {
  readonly #project: string
  readonly #known = new Map<string, ReadonlySet<number>>()

  constructor(project: string) {
    this.#project = project
  }

  get isThere(): boolean {
    return existsSync(this.#project)
  }

  prints(path: string): ReadonlySet<number> {
    const known = this.#known.get(path) ?? this.#read(path)
    this.#known.set(path, known)
    return known
  }

  #read(path: string): ReadonlySet<number> {
    const text = textOrEmpty(resolve(this.#project, path))
    return new Set(printsOf(linesOf(text)).map(({ print }) => print))
  }
}

function textOrEmpty(path: string): string {
  try {
    return readRegular(path, LARGEST) ?? ''
  } catch {
    return ''
  }
}

export interface Standing {
  /** Lines that came, and how many of them are there now. */
  readonly came: number
  readonly stand: number
}

export async function standingOf(
  deeds: readonly PlacedDeed[],
  files: PresentFiles,
): Promise<Map<string, Standing>> {
  const all = new Map<string, Standing>()
  // A project that is elsewhere now says nothing about its lines.
  if (!files.isThere) return all
  for (const { path, lines } of deeds) {
    if (path === undefined || !lines) continue
    const present = await files.prints(path)
    const { came, stand } = all.get(path) ?? { came: 0, stand: 0 }
    const still = lines.came.filter(({ print }) => present.has(print)).length
    all.set(path, { came: came + lines.came.length, stand: stand + still })
  }
  return all
}
