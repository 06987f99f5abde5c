/** An object from JSON with comments and trailing commas, as tsconfig files have them; empty where it is none. */
export function parseLooseJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(strict(text))
    return value !== null && typeof value === 'object' ? { ...value } : {}
  } catch {
    return {}
  }
}

/**
 * Strings are kept as they are; what is between them loses comments and commas before a bracket. A string or comment without an end
 * takes the rest, so that nothing is read twice.
 */
function strict(text: string): string {
  const tokens = text.match(
    /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|[^"/]+|\//g,
  )
  return (tokens ?? [])
    .filter((token) => !token.startsWith('//') && !token.startsWith('/*'))
    .join('')
    .replace(/,(?=[ \t\r\n]{0,200}[}\]])/g, '')
}
