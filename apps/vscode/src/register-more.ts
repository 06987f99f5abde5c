import {
  type CancellationToken,
  type ChatRequest,
  type ChatResponseStream,
  chat,
  type Disposable,
  type HoverProvider,
  languages,
  window,
} from 'vscode'
import type { Services } from './services.ts'
import { lazyTree } from './views/lazy-tree.ts'

interface Parts {
  readonly services: () => Promise<Services>
  readonly answer: (
    request: ChatRequest,
    stream: ChatResponseStream,
    token: CancellationToken,
  ) => Promise<void>
  readonly hover: HoverProvider['provideHover']
}

/** Views, hover and participant that the server stands behind: only their places are taken here. */
export function registerMore({ services, answer, hover }: Parts): Disposable[] {
  const tasks = window.createTreeView('copilotChatSecretary.tasks', {
    treeDataProvider: lazyTree(async () => (await services()).tasks),
    manageCheckboxStateManually: true,
  })
  const search = window.createTreeView('copilotChatSecretary.search', {
    treeDataProvider: lazyTree(async () => (await services()).search),
  })
  return [
    tasks,
    search,
    tasks.onDidChangeCheckboxState(async ({ items }) => (await services()).tasks.tick(items)),
    languages.registerHoverProvider({ scheme: 'file' }, { provideHover: hover }),
    chat.createChatParticipant(
      'copilotChatSecretary.secretary',
      (request, _context, stream, token) => answer(request, stream, token),
    ),
  ]
}
