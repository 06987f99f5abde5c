import { parse } from '@decimalturn/toml-patch'

const KEY = 'mcp_optional_startup_grace_ms'
const LINE = `${KEY} = 10000`

/**
 * Codex begins a session without servers that are not up after a second: their tools are missing in the first turn. It waits
 * for those marked as required, but then refuses to start at all where one fails; a longer patience does not.
 */
export const codexPatience = {
  addition: LINE,
  /** Before everything else: further down it would belong to a table. */
  with: (text: string) => (has(text) ? undefined : `${LINE}\n${text}`),
  without: (text: string) => (has(text) ? text.replace(`${LINE}\n`, '') : undefined),
}

function has(text: string): boolean {
  try {
    return Object.hasOwn(parse(text), KEY)
  } catch {
    throw new SyntaxError('not TOML')
  }
}
