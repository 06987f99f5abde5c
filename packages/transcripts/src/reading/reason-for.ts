/** Why a file could not be read, in our own words where there are some. */
export function reasonFor(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (code !== undefined) return `cannot be read (${code})`
  return error instanceof SyntaxError
    ? 'is not valid JSON'
    : String(error instanceof Error ? error.message : error).slice(0, 200)
}
