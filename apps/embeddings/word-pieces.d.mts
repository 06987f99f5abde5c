export function createTokenizer(vocabulary: readonly string[]): (text: string) => number[]
