export const PREVIEW_LENGTH = 80

/** The beginning of a text, never through the middle of a character. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

export function previewOf(text: string): string {
  // NUL is no character for PostgreSQL.
  return cutText(text, PREVIEW_LENGTH).replaceAll('\0', '')
}
