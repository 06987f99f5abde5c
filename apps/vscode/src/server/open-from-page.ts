import { commands, env, Range, Uri } from 'vscode'

/** Follows a link that leads out of the page: a file into the editor, a web address into the browser, and nothing else. */
export async function openFromPage(message: unknown): Promise<void> {
  const { open: address } = (message ?? {}) as { open?: unknown }
  if (typeof address !== 'string') return
  const uri = Uri.parse(address)
  if (/^https?$/.test(uri.scheme)) return void (await env.openExternal(uri))
  const [, path, line] = /^(.+):(\d+)$/.exec(uri.path) ?? []
  if (!/^(vscode|cursor)$/.test(uri.scheme) || uri.authority !== 'file' || !path) return
  const at = Number(line) - 1
  await commands.executeCommand('vscode.open', Uri.file(path), {
    selection: new Range(at, 0, at, 0),
  })
}
