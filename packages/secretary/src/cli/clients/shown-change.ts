const CONTEXT = 3

/** What goes and what comes, with the lines around it. */
export function shownChange(before: string, after: string): string {
  const [old, made] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < Math.min(old.length, made.length) && old[start] === made[start]) start++
  let end = 0
  while (
    end < Math.min(old.length, made.length) - start &&
    old[old.length - 1 - end] === made[made.length - 1 - end]
  )
    end++
  return [
    ...made.slice(Math.max(0, start - CONTEXT), start).map((line) => `  ${line}`),
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...made.slice(start, made.length - end).map((line) => `+ ${line}`),
    ...made
      .slice(made.length - end)
      .slice(0, CONTEXT)
      .map((line) => `  ${line}`),
  ].join('\n')
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
}
