import type { Disposable } from 'vscode'
import type { Log } from '../../../src/core/log.ts'
import { Companions } from './server/companions.ts'
import { noteFolder } from './server/note-folder.ts'
import type { ServerParts } from './server/server-program.ts'
import { otherAgents } from './sessions/other-agents.ts'
import type { OtherAgents } from './sessions/other-agents-port.ts'

/** What runs beside the editor once something of it was used. */
export interface Services extends Disposable {
  readonly companions: Companions
  readonly others: OtherAgents
}

export function createServices(server: ServerParts, log: Log): Services {
  const companions = new Companions(server)
  // Whoever reads the chats of this window should know its folder, also where VS Code does not write it down.
  noteFolder(server.places).catch((error: Error) => log.warn(`The folder was not noted. ${error}`))
  return {
    companions,
    others: otherAgents(companions, log),
    dispose: () => companions.dispose(),
  }
}
