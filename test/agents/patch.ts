/** One line for another, in the form that Codex made. */
export function patch(file: string, before: string, after: string): string {
  const lines = ['*** Begin Patch', `*** Update File: ${file}`, '@@', `-${before}`, `+${after}`]
  return [...lines, '*** End Patch'].join('\n')
}

/** A file of one line, in the same form. */
export function patchAdding(file: string, line: string): string {
  return ['*** Begin Patch', `*** Add File: ${file}`, `+${line}`, '*** End Patch'].join('\n')
}
