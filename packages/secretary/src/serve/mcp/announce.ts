import type { Server } from '@modelcontextprotocol/server'
import type { Changes } from '@secretary-mcp/core/changes.ts'

/** Passes changes on to a connected client for as long as the connection lives. */
export function announceTo(server: Server, changes: Changes): void {
  const stop = changes.listen((change) => {
    const sent = {
      tools: () => server.sendToolListChanged(),
      prompts: () => server.sendPromptListChanged(),
      resources: () => server.sendResourceListChanged(),
      resource: () =>
        change.kind === 'resource'
          ? server.sendResourceUpdated({ uri: change.uri })
          : Promise.resolve(),
    }[change.kind]()
    // A client that is gone, or never asked for announcements, is no fault of ours.
    sent.catch(() => {})
  })
  server.onclose = stop
}
