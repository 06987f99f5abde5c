const [UNKNOWN, BEGIN, END] = ['[UNK]', '[CLS]', '[SEP]']
const MAX_PIECES = 256

/** From a text to the ids of its word pieces, as the model was trained: lower case, no accents, longest piece first. */
export function createTokenizer(vocabulary) {
  const idOf = new Map(vocabulary.map((piece, id) => [piece, id]))
  return (text) => {
    const plain = text
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
    const ids = [idOf.get(BEGIN)]
    for (const word of plain.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? []) {
      ids.push(...piecesOf(word, idOf))
      if (ids.length >= MAX_PIECES) break
    }
    return [...ids.slice(0, MAX_PIECES - 1), idOf.get(END)]
  }
}

function piecesOf(word, idOf) {
  const ids = []
  for (let start = 0; start < word.length; ) {
    const prefix = start > 0 ? '##' : ''
    let end = word.length
    while (end > start && !idOf.has(prefix + word.slice(start, end))) end--
    if (end === start) return [idOf.get(UNKNOWN)]
    ids.push(idOf.get(prefix + word.slice(start, end)))
    start = end
  }
  return ids
}
