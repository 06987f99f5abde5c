import { readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { notesFolder } from '../dialogs/own-dialog.ts'
import { agentProcess, ancestors, processOf } from '../dialogs/process-line.ts'
import { writeWhole } from './clients/write-whole.ts'

/** Notes which dialog the agent is in that runs this hook: the server that it started has no other way to know. */
export function noteDialog(
  home: string,
  sessionId: string,
  agent = agentProcess(ancestors()),
): void {
  if (agent === undefined) return
  const folder = notesFolder(home)
  const note = { sessionId, procStart: processOf(agent)?.start }
  writeWhole(join(folder, `${agent}.json`), home, `${JSON.stringify(note)}\n`)
  for (const name of readdirSync(folder))
    if (isOver(basename(name, '.json'))) rmSync(join(folder, name), { force: true })
}

function isOver(pid: string): boolean {
  try {
    return !process.kill(Number(pid), 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
