const MOVES = /^\s*(?:cd\s+(?:"[^"]*"|'[^']*'|\S+)\s*(?:&&|;)\s*)+/
const TAIL =
  /\s*(?:2>&1|2>\/dev\/null|>\s*\/dev\/null|\|\s*(?:tail|head|grep|cat|tee|less|sed|wc)\b[^|&;]*)+\s*$/

/** A command without where it was run and how its output was cut. */
export function plainCommand(command: string): string {
  const [line = ''] = command.trim().split('\n')
  let plain = line.replace(MOVES, '')
  for (let before = ''; before !== plain; ) {
    before = plain
    plain = plain.replace(TAIL, '')
  }
  return plain.trim()
}
