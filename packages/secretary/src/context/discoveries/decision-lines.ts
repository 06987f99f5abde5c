import { quoteLine } from '@secretary-mcp/core/quote.ts'
import type { CheckedDiscovery } from './discoveries.ts'

/** What somebody decided, and who shares it where it comes from a space. */
export interface DecisionNote {
  readonly text: string
  readonly space?: string
  readonly by?: string
}

/** What still holds: what belongs to a space names it and its author first, so that it is never read as the person's own. */
export function decisionLines(decisions: readonly CheckedDiscovery[]): DecisionNote[] {
  return decisions
    .filter(({ newer }) => newer === undefined)
    .map(({ content, changedFiles, space, by }) => ({
      text: [
        ...(space === undefined
          ? []
          : [`${quoteLine(by ?? 'somebody')} in the space ${quoteLine(space)}:`]),
        content,
        ...(changedFiles.length > 0 ? ['(recheck: its files changed)'] : []),
      ].join(' '),
      ...(space === undefined ? {} : { space, by }),
    }))
}

/** Of those that still hold, what was said about a file in other sessions. */
export function notesAbout(
  decisions: readonly CheckedDiscovery[],
  file: string,
  session?: string,
): DecisionNote[] {
  return decisions
    .filter(({ newer, session: saidIn }) => newer === undefined && (!session || saidIn !== session))
    .filter(
      ({ files, content }) => files.some(({ path }) => path === file) || content.includes(file),
    )
    .map(({ content, space, by }) => ({
      text: content,
      ...(space === undefined ? {} : { space, by }),
    }))
}
