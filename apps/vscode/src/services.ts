import type { Log } from '@secretary-mcp/core/log.ts'
import { type Disposable, workspace } from 'vscode'
import { PAST_SCHEME, pastDocuments } from './reading/changes-since.ts'
import { TURN_SCHEME } from './reading/turn-document.ts'
import { turnDocuments } from './reading/turn-documents.ts'
import { Companions } from './server/companions.ts'
import { noteFolder } from './server/note-folder.ts'
import { PagePanel } from './server/page-panel.ts'
import { SERVER_SETTINGS, type ServerParts } from './server/server-program.ts'
import type { DialogSessionsServiceImpl } from './sessions/dialog-sessions-service.ts'
import { otherAgents } from './sessions/other-agents.ts'
import type { OtherAgents } from './sessions/other-agents-port.ts'
import { StatusItem } from './status/status-item.ts'
import { SearchTree } from './views/search-tree.ts'
import { TasksTree } from './views/tasks-tree.ts'
import { annotateLine } from './why/annotate-line.ts'
import { WhyRequests } from './why/why-requests.ts'

/** What runs beside the editor once something of it was used. */
export interface Services extends Disposable {
  readonly companions: Companions
  readonly others: OtherAgents
  readonly tasks: TasksTree
  readonly search: SearchTree
  readonly why: WhyRequests
  readonly page: PagePanel
}

export function createServices(
  server: ServerParts,
  sessions: DialogSessionsServiceImpl,
  log: Log,
): Services {
  const companions = new Companions(server)
  const others = otherAgents(companions, log)
  const tasks = new TasksTree(companions)
  const why = new WhyRequests(companions)
  const page = new PagePanel()
  const status = new StatusItem(sessions, companions)
  // Whoever reads the chats of this window should know its folder, also where VS Code does not write it down.
  noteFolder(server.places).catch((error: Error) => log.warn(`The folder was not noted. ${error}`))
  const all: Disposable[] = [
    companions,
    page,
    status,
    tasks.onDidChangeTreeData(() => status.update()),
    annotateLine(why),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SERVER_SETTINGS)) companions.dispose()
    }),
    workspace.registerTextDocumentContentProvider(TURN_SCHEME, turnDocuments(sessions, others)),
    workspace.registerTextDocumentContentProvider(PAST_SCHEME, pastDocuments),
  ]
  return {
    companions,
    others,
    tasks,
    search: new SearchTree(companions),
    why,
    page,
    dispose: () => {
      for (const one of all) one.dispose()
    },
  }
}
