// The one home of the parser. It is large: whoever needs it imports this file on first use.
import { parse } from 'yaml'

/** Undefined where the text is not YAML. Few aliases are allowed, so that a small text cannot grow large. */
export function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 10, logLevel: 'error', prettyErrors: false }) ?? null
  } catch (error) {
    // An excess of aliases is a ReferenceError.
    if (
      error instanceof Error &&
      (error.name.startsWith('YAML') || error instanceof ReferenceError)
    )
      return undefined
    throw error
  }
}
