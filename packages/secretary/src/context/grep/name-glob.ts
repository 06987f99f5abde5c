/** The part of a glob that is about the name alone, where it says anything: it lets ripgrep skip other files early. */
export function nameGlob(glob: string): string | undefined {
  const name = glob.slice(glob.lastIndexOf('/') + 1)
  const unusable =
    glob.startsWith('!') || name === '' || name.includes('**') || hasSlashInBrackets(glob)
  return unusable ? undefined : name
}

/** Such a slash parts no folders, so that what follows the last one is no name. */
function hasSlashInBrackets(glob: string): boolean {
  let isOpen = false
  let hasSlash = false
  for (const sign of glob) {
    if (sign === '{' || sign === '[') isOpen = true
    else if (sign === '}' || sign === ']') {
      if (isOpen && hasSlash) return true
      isOpen = false
      hasSlash = false
    } else if (sign === '/' && isOpen) hasSlash = true
  }
  return false
}
