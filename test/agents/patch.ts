/** One line for another, in the form that Codex made. */
export function patch(file: string, before: string, after: string): string {
  const lines = ['*** Begin Patch', `*** Update File: ${file}`, '@@', `-${before}`, `+${after}`]
  return [...lines, '*** End Patch'].join('\n')
}
