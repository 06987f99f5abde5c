const LINE_HEIGHT = 18
const CHARACTER_WIDTH = 7.85
const MARGIN = 16

const COLOURS: readonly (readonly [RegExp, string])[] = [
  [/^\$ /, '#7ee787'],
  [/^\s*\d* *\+/, '#7ee787'],
  [/^# /, '#79c0ff'],
  [/^…/, '#8b949e'],
]

/** What a terminal showed, as a small SVG that needs no font of ours. */
export function terminalPicture(lines: readonly string[], title: string): string {
  const width = Math.round(
    Math.max(...lines.map((line) => line.length)) * CHARACTER_WIDTH + 2 * MARGIN,
  )
  const height = lines.length * LINE_HEIGHT + 2 * MARGIN
  const rows = lines.map((line, place) => {
    const [, colour = '#e6edf3'] = COLOURS.find(([pattern]) => pattern.test(line)) ?? []
    return `<text x="${MARGIN}" y="${MARGIN + (place + 1) * LINE_HEIGHT - 5}" fill="${colour}">${escaped(line)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" xml:space="preserve">
${rows.join('\n')}
</g>
</svg>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
