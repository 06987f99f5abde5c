import { dirname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { ExtensionContext, LanguageModelToolResult } from 'vscode'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import manifest from '../package.json' with { type: 'json' }
import { activate } from '../src/extension.ts'
import { CLEARED_AT } from '../src/views/cleared-at.ts'
import { BEGUN, ChatHome } from './chat-home.ts'
import { commands, reset, seen, Uri } from './vscode-fake.ts'

export const LONG = `Make the export of invoices resumable, ${'and keep the order of the lines '.repeat(6)}`
const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) }

interface Start {
  readonly folder?: boolean
  readonly extensionPath?: string
  /** When the list of dialogs was cleared in an earlier window. */
  readonly clearedAt?: number
}

/** A window of a VS Code that is not there, with the extension in it and chats on a real disk. */
export class FakeWindow {
  readonly home: ChatHome
  /** What VS Code would export of the chat in focus. */
  exported: object | undefined

  constructor() {
    reset()
    const folder = temporaryFolder()
    this.home = new ChatHome(join(folder, 'User'), join(folder, 'project'))
  }

  /** Starts the extension, over the home's project or over no folder at all. */
  start({ folder = true, extensionPath = '/extension', clearedAt }: Start = {}): ExtensionContext {
    const { home } = this
    const context = {
      storageUri: folder
        ? Uri.file(join(dirname(home.window), 'secretary.copilot-chat-secretary'))
        : undefined,
      globalStorageUri: Uri.file(
        join(home.user, 'globalStorage', 'secretary.copilot-chat-secretary'),
      ),
      extensionPath,
      extension: { packageJSON: manifest },
      workspaceState: {
        get: (key: string) => (key === CLEARED_AT ? clearedAt : undefined),
        update: async () => {},
      },
      secrets: {
        get: async (key: string) => seen.secrets.get(key),
        store: async (key: string, value: string) => void seen.secrets.set(key, value),
        delete: async (key: string) => void seen.secrets.delete(key),
      },
      subscriptions: [] as { dispose(): unknown }[],
    }
    commands.registerCommand('workbench.action.chat.export', (target) => {
      if (this.exported) home.raw((target as Uri).fsPath, JSON.stringify(this.exported))
    })
    activate(context as object as ExtensionContext)
    onTestFinished(() => {
      for (const one of context.subscriptions) one.dispose()
    })
    return context as object as ExtensionContext
  }

  /** An older and a newer chat; the newer is the current one. */
  twoDialogs(): void {
    const { home } = this
    const asked = [
      { text: LONG, answer: 'Done, with a marker.' },
      { text: 'Say so in the log', answer: 'It says so.' },
    ]
    home.session(home.window, 'older', [{ text: 'Rename the module', answer: 'Renamed.' }], {
      at: BEGUN - 3_600_000,
    })
    home.session(home.window, 'newest', asked, { title: 'Invoices' })
  }

  async invoke(
    name: string,
    input: unknown,
    toolInvocationToken?: unknown,
    cancellation: object = token,
  ) {
    const tool = seen.tools.get(`chat_secretary_${name}`) as {
      invoke(o: object, t: object): Promise<LanguageModelToolResult>
    }
    const { content } = await tool.invoke({ input, toolInvocationToken }, cancellation)
    expect(content).toHaveLength(1)
    return JSON.parse((content[0] as { value: string }).value) as Record<string, unknown>
  }
}

/** The token of a call from a chat, as VS Code makes it. */
export function told(id: string): object {
  return {
    sessionResource: {
      scheme: 'vscode-chat-session',
      authority: 'local',
      path: `/${Buffer.from(id).toString('base64')}`,
    },
  }
}
