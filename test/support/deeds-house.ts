import type { DeedStore, StoredDeed } from '@secretary-mcp/secretary/dialogs/deeds/deed-store.ts'
import { sqliteDeedStore } from '@secretary-mcp/secretary/dialogs/deeds/store/sqlite-deed-store.ts'
import { SameProjects } from '@secretary-mcp/secretary/dialogs/deeds/work-places.ts'
import type { DialogParts } from '@secretary-mcp/secretary/dialogs/dialogs.ts'
import { expect, onTestFinished } from 'vitest'
import { type DialogsUnderTest, dialogsUnderTest, noSignal } from './dialogs-service.ts'
import { temporaryFolder } from './temporary-folder.ts'

const log = { trace() {}, debug() {}, info() {}, error() {}, warn() {} }

export interface DeedsHouse extends DialogsUnderTest {
  readonly deeds: DeedStore
  /** The deeds of a session, oldest first, each in a line. */
  deedsOf(sessionId: string): Promise<string[]>
  /** Changes of a session whose lines a person cannot see, each with its counts. */
  changesWithoutDiff(sessionId: string): Promise<string[]>
}

/** The real service with an index of deeds beside it. */
export function deedsHouse(parts: Partial<DialogParts> = {}): DeedsHouse {
  const deeds = {
    ...sqliteDeedStore(`${temporaryFolder()}/deeds.db`, log),
    sameProjects: new SameProjects(`${temporaryFolder()}/same-projects.json`),
  }
  onTestFinished(() => deeds.close())
  const under = dialogsUnderTest({ deeds, ...parts })
  return {
    ...under,
    deeds,
    async deedsOf(sessionId) {
      under.dialogs.index.invalidate()
      await under.dialogs.ready(under.caller, noSignal)
      return (await deeds.find({ sessionId, limit: 1000 })).reverse().map(inALine)
    },
    async changesWithoutDiff(sessionId) {
      const { dialogs, caller } = under
      const { value } = await dialogs.deeds.ledger(
        caller,
        { sessionId, limit: 100, offset: 0 },
        noSignal,
      )
      const works = await Promise.all(
        (value?.entries ?? []).map(({ index }) =>
          dialogs.deeds.work(caller, { sessionId, index }, noSignal),
        ),
      )
      const changes = works.flatMap((work) => work.changes)
      expect(changes.length).toBeGreaterThan(0)
      return changes.flatMap(({ path, plus, minus, diff = '' }) => {
        const marked = (sign: string) =>
          diff.split('\n').filter((line) => line.startsWith(sign)).length
        const isShown = marked('+') === plus && marked('-') === minus
        return isShown ? [] : [`${path} +${plus} -${minus}`]
      })
    },
  }
}

function inALine({
  kind,
  path,
  lines,
  text,
  commandKind,
  exit,
  tail,
  isHelper,
}: StoredDeed): string {
  return [
    isHelper ? 'helper:' : undefined,
    kind,
    path,
    lines && `+${lines.plus} -${lines.minus}`,
    commandKind && `[${commandKind}]`,
    text,
    exit === undefined ? undefined : `→ ${exit}`,
    tail && `| ${tail.split('\n').at(-1)}`,
  ]
    .filter(Boolean)
    .join(' ')
}
