import { createHash } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** As `sha256sum -c` reads them. Says each file with its size. */
export function writeChecksums(out, files) {
  const sums = files.map((path) => {
    const digest = createHash('sha256').update(readFileSync(path)).digest('hex')
    return `${digest}  ${basename(path)}`
  })
  writeFileSync(join(out, 'SHA256SUMS'), `${sums.join('\n')}\n`)
  return files.map((path, place) => {
    const size = (statSync(path).size / 1e6).toFixed(1).padStart(6)
    return `${size} MB  ${sums[place]}`
  })
}
