import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { Language } from '../text/light-stem.ts'

/** From the stems of a language to the English words that they stand for; a small word stands for none. */
export type Bridge = ReadonlyMap<string, readonly string[]>

export type Bridges = (language: Language) => Promise<Bridge>

/** The bridges of a folder, each read when its language is first asked in. Made by scripts/distil-bridges.mjs. */
export function createBridges(folder: string): Bridges {
  const loaded = new Map<Language, Promise<Bridge>>()
  return (language) => {
    const bridge = loaded.get(language) ?? readBridge(join(folder, `${language}.br`)).catch(none)
    loaded.set(language, bridge)
    return bridge
  }
}

/** Without its bridge a question is searched as it is. */
function none(): Bridge {
  return new Map()
}

async function readBridge(path: string): Promise<Bridge> {
  const text = (await promisify(brotliDecompress)(await readFile(path))).toString()
  return new Map(
    text
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [stem = '', ...words] = line.split(' ')
        return [stem, words]
      }),
  )
}

const SHORTEST_PART = 4
const SHORTEST_BEGINNING = 4
const MAX_CUT = 3

/** What a stem stands for: as it is, as two words written as one, or without its last letters. */
export function lookUp(bridge: Bridge, stem: string): readonly string[] | undefined {
  return bridge.get(stem) ?? asCompound(bridge, stem) ?? asBeginning(bridge, stem)
}

function asCompound(bridge: Bridge, stem: string): readonly string[] | undefined {
  for (let at = stem.length - SHORTEST_PART; at >= SHORTEST_PART; at--) {
    const last = bridge.get(stem.slice(at))
    // German joins words with an s or an n: `Verbindungsfehler`.
    const first = bridge.get(stem.slice(0, at)) ?? bridge.get(stem.slice(0, at - 1))
    if (first?.[0] && last?.[0]) return [`${first[0]} ${last[0]}`]
  }
  return undefined
}

function asBeginning(bridge: Bridge, stem: string): readonly string[] | undefined {
  const shortest = Math.max(SHORTEST_BEGINNING, stem.length - MAX_CUT)
  for (let end = stem.length - 1; end >= shortest; end--) {
    const found = bridge.get(stem.slice(0, end))
    if (found && found.length > 0) return found
  }
  return undefined
}
