/** How many results an answer has: the length of its list, where it is one or has one. */
export function resultCount(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length
  if (value === null || typeof value !== 'object') return undefined
  return Object.values(value).find(Array.isArray)?.length
}
