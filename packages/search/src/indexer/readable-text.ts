import { hidePrivateKeys, isPrivateKeyFile } from '@secretary-mcp/core/files/private-keys.ts'

const LONG_LINE = 2000
const LONG_AVERAGE = 300
const MOST_DATA_CHARS = 60_000
const DATA_FILE = /\.(json|jsonc|ya?ml|xml|html?|txt|toml|ini|properties)$/i
const GENERATED_MARK =
  /@generated\b|code generated .{0,80}do not edit|auto-?generated (file|by|from|code)|this file (was|is) (automatically|auto-?)\s*generated/i

/** The text of a file when a person could have written it; otherwise why it is left out. */
export function readableText(
  path: string,
  bytes: Buffer,
): { readonly text: string } | { readonly leftOut: string } {
  if (bytes.subarray(0, 8000).includes(0)) return { leftOut: 'binary' }
  const text = bytes.toString('utf8')
  if (DATA_FILE.test(path) && text.length > MOST_DATA_CHARS) return { leftOut: 'data' }
  if (GENERATED_MARK.test(text.slice(0, 600))) return { leftOut: 'generated' }
  if (isPrivateKeyFile(text)) return { leftOut: 'private key' }
  return isMinified(text) ? { leftOut: 'minified' } : { text: hidePrivateKeys(text) }
}

function isMinified(text: string): boolean {
  if (text.length < LONG_LINE) return false
  const lines = text.split('\n')
  return (
    text.length / lines.length > LONG_AVERAGE ||
    (lines.length < 20 && lines.some((line) => line.length > LONG_LINE))
  )
}
