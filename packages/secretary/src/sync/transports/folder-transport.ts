import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  MAX_SEGMENT_BYTES,
  type SegmentName,
  segmentAt,
  segmentPath,
  type Transport,
  unreadableSegment,
} from '../segment.ts'
import { unreachable } from '../sync-failures.ts'

/** Others may have put anything there: a pipe is not waited for. Windows has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** A folder that something else carries to the other machines: a synchronised one, a network drive, a USB stick. */
export function folderTransport(folder: string): Transport {
  return {
    async begin() {
      // A stick that is not plugged in must not become a folder of its own.
      const found = await stat(folder).catch(() => undefined)
      if (!found?.isDirectory()) throw unreachable(folder, 'the folder is not there')
    },
    list: () => segmentsIn(folder),
    read: (name) => readSegment(folder, name),
    write: (name, bytes) => writeSegment(folder, name, bytes),
    async remove(names) {
      for (const name of names) await rm(join(folder, segmentPath(name)), { force: true })
    },
    async finish() {},
  }
}

export async function segmentsIn(folder: string): Promise<SegmentName[]> {
  const machines = await readdir(folder).catch(() => [])
  const found = await Promise.all(
    machines.map(async (machine) => {
      const names = await readdir(join(folder, machine)).catch(() => [])
      return names.map((name) => segmentAt(`${machine}/${name}`))
    }),
  )
  return found.flat().filter((name) => name !== undefined)
}

export async function readSegment(
  folder: string,
  name: SegmentName,
): Promise<Uint8Array | undefined> {
  const file = await open(join(folder, segmentPath(name)), FLAGS).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw unreadableSegment(name, 'it cannot be read')
    },
  )
  try {
    const stats = await file?.stat()
    if (stats && !stats.isFile()) throw unreadableSegment(name, 'it is not a file')
    if (stats && stats.size > MAX_SEGMENT_BYTES) throw unreadableSegment(name, 'it is too large')
    return await file?.readFile()
  } finally {
    await file?.close()
  }
}

/** Under another name until it is whole and on the disk. */
export async function writeSegment(
  folder: string,
  name: SegmentName,
  bytes: Uint8Array,
): Promise<void> {
  const path = join(folder, segmentPath(name))
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
