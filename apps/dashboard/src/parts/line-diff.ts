const MAX_CELLS = 4_000_000
const CONTEXT = 3

/** The way from one text to another, as lines that begin with +, - or a space; what is far from a change is left out. */
export function lineDiff(before: string, after: string): string {
  const [old, made] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < Math.min(old.length, made.length) && old[start] === made[start]) start++
  let end = 0
  while (
    end < Math.min(old.length, made.length) - start &&
    old[old.length - 1 - end] === made[made.length - 1 - end]
  )
    end++
  const middle = between(old.slice(start, old.length - end), made.slice(start, made.length - end))
  if (middle.length === 0) return ''
  const head = old.slice(0, start).map((line) => ` ${line}`)
  const tail = old.slice(old.length - end).map((line) => ` ${line}`)
  return shortened([...head, ...middle, ...tail]).join('\n')
}

/** By the longest common subsequence; texts too large for that are shown as gone and come. */
function between(old: readonly string[], made: readonly string[]): string[] {
  if (old.length * made.length > MAX_CELLS)
    return [...old.map((line) => `-${line}`), ...made.map((line) => `+${line}`)]
  const width = made.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = made.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        old[i] === made[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < made.length) {
    if (i < old.length && j < made.length && old[i] === made[j]) {
      lines.push(` ${old[i]}`)
      i++
      j++
    } else if (
      j >= made.length ||
      (i < old.length && (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    )
      lines.push(`-${old[i++]}`)
    else lines.push(`+${made[j++]}`)
  }
  return lines
}

function shortened(lines: readonly string[]): string[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((line) => line[0] !== ' '),
  )
  return lines.flatMap((line, at) => {
    if (isNear[at]) return [line]
    return isNear[at - 1] || at === 0 ? ['@ …'] : []
  })
}
