/** The text with an entry for us under `key`, everything else kept. Undefined where there is one already. */
export function withJsonEntry(text: string, key: string, entry: object): string | undefined {
  const whole: unknown = text.trim() === '' ? {} : JSON.parse(text)
  if (!isRecord(whole)) throw new SyntaxError('not a JSON object')
  const servers = whole[key] ?? {}
  if (!isRecord(servers)) throw new SyntaxError(`${key} is not an object`)
  if ('secretary' in servers) return undefined
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  return `${JSON.stringify({ ...whole, [key]: { ...servers, secretary: entry } }, null, indent)}\n`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
