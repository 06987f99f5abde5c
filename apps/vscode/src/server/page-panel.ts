import { randomBytes } from 'node:crypto'
import { type Disposable, env, Uri, ViewColumn, type WebviewPanel, window } from 'vscode'
import type { Served } from './companion.ts'
import { openFromPage } from './open-from-page.ts'

/** The page in a tab of the editor: one for the window, shown again rather than opened twice. */
export class PagePanel implements Disposable {
  #panel?: WebviewPanel
  #shown?: string

  async show(served: Served): Promise<void> {
    const address = await addressFor(served)
    this.#panel ??= this.#create()
    // The server may be another one by now, at another port.
    if (this.#shown !== address) this.#panel.webview.html = frameOf(address)
    this.#shown = address
    this.#panel.reveal()
  }

  dispose(): void {
    this.#panel?.dispose()
  }

  #create(): WebviewPanel {
    const panel = window.createWebviewPanel(
      'copilotChatSecretary.page',
      'Secretary',
      ViewColumn.Active,
      // What is allowed here is what the frame may do; the document around it may run its own lines alone.
      { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] },
    )
    panel.webview.onDidReceiveMessage(openFromPage)
    panel.onDidDispose(() => {
      this.#panel = undefined
      this.#shown = undefined
    })
    return panel
  }
}

/** As the window reaches it. A frame of another site gets no cookie, so the token is behind the #, which no server and no proxy sees. */
async function addressFor({ url, token }: Served): Promise<string> {
  const reached = await env.asExternalUri(Uri.parse(`${url}/`))
  const address = new URL(reached.toString(true))
  if (token) address.hash = new URLSearchParams({ token }).toString()
  return address.href
}

function frameOf(address: string): string {
  const nonce = randomBytes(16).toString('hex')
  const { origin } = new URL(address)
  const policy = `default-src 'none'; frame-src ${origin}; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`
  const source = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <style nonce="${nonce}">
      html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; padding: 0; border: 0; overflow: hidden }
    </style>
  </head>
  <body>
    <iframe src="${source}" title="Secretary" allow="clipboard-write"></iframe>
    <script nonce="${nonce}">
      const editor = acquireVsCodeApi()
      const page = document.querySelector('iframe')
      addEventListener('message', ({ source, data }) => {
        if (source === page.contentWindow) editor.postMessage(data)
      })
    </script>
  </body>
</html>
`
}
