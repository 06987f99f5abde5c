const MOST_LINES = 12
const MOST_CHARACTERS = 700
const LONGEST_COMMAND = 400

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals colour their output with them
const COLOURS = /\u001b\[[\d;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*\u0007/g

/** The end of a command's output, where it says what went wrong. */
export function lastLines(output: string): string {
  const end = output.slice(-4 * MOST_CHARACTERS).replace(COLOURS, '')
  const lines = end
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
  return lines.slice(-MOST_LINES).join('\n').slice(-MOST_CHARACTERS)
}

export function shortCommand(command: string): string {
  const text = command.trim()
  return text.length <= LONGEST_COMMAND ? text : `${text.slice(0, LONGEST_COMMAND)}…`
}
