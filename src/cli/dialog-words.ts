export function day(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ')
}

/** In one line, cut where it grows long. */
export function firstWords(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}
