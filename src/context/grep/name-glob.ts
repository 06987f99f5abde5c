/** The part of a glob that is about the name alone, where it says anything: it lets ripgrep skip other files early. */
export function nameGlob(glob: string): string | undefined {
  const name = glob.slice(glob.lastIndexOf('/') + 1)
  const unusable =
    glob.startsWith('!') ||
    name === '' ||
    name.includes('**') ||
    /[{[][^}\]]*\/[^}\]]*[}\]]/.test(glob)
  return unusable ? undefined : name
}
