/** The environment of a machine of its own: those of a test run on one, and would otherwise have one name. */
export function namedHost(host: string): { NODE_OPTIONS: string } {
  const code = `import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module'; os.hostname = () => '${host}'; syncBuiltinESMExports()`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
}
