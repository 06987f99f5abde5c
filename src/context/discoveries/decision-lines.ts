import type { CheckedDiscovery } from './discoveries.ts'

/** What still holds, one line each: whom it belongs to where that is a space, and whether to look again. */
export function decisionLines(decisions: readonly CheckedDiscovery[]): string[] {
  return decisions
    .filter(({ newer }) => newer === undefined)
    .map(({ content, changedFiles, space }) =>
      [
        content,
        ...(space ? [`(space ${space})`] : []),
        ...(changedFiles.length > 0 ? ['(recheck: its files changed)'] : []),
      ].join(' '),
    )
}

/** Of those that still hold, what was said about a file in other sessions. */
export function linesAbout(
  decisions: readonly CheckedDiscovery[],
  file: string,
  session?: string,
): string[] {
  return decisions
    .filter(({ newer, session: saidIn }) => newer === undefined && (!session || saidIn !== session))
    .filter(
      ({ files, content }) => files.some(({ path }) => path === file) || content.includes(file),
    )
    .map(({ content, space }) => (space ? `${content} (space ${space})` : content))
}
