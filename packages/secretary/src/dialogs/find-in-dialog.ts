import { queryWords } from '@secretary-mcp/core/excerpt.ts'

const MAX_HITS = 50

interface TextOfTurn {
  readonly position: number
  readonly request: string
  readonly answer?: string
}

interface TextHit {
  readonly index: number
  readonly part: 'request' | 'answer'
  readonly text: string
}

/** Requests and answers that hold all the words, in order. */
export async function findInDialog(
  turns: AsyncIterable<TextOfTurn> | Iterable<TextOfTurn>,
  query: string,
  signal: AbortSignal,
): Promise<TextHit[]> {
  const words = queryWords(query)
  const hits: TextHit[] = []
  if (words.length === 0) return hits
  const holdsAll = (text: string) => {
    const lower = text.toLowerCase()
    return words.every((word) => lower.includes(word))
  }
  for await (const { position: index, request, answer = '' } of turns) {
    signal.throwIfAborted()
    if (holdsAll(request)) hits.push({ index, part: 'request', text: request })
    if (holdsAll(answer)) hits.push({ index, part: 'answer', text: answer })
    if (hits.length >= MAX_HITS) break
  }
  return hits.slice(0, MAX_HITS)
}
