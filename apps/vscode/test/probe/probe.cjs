// Runs inside the real VS Code and does what the test asks over loopback; each window has one.
const { mkdirSync, renameSync, statSync, writeFileSync } = require('node:fs')
const { createServer } = require('node:http')
const { join, relative } = require('node:path')
const vscode = require('vscode')

const UNDER_TEST = 'secretary.copilot-chat-secretary'
/** What the participant calls, and what it got, by the words that it was asked with. */
const planned = new Map()
const inChat = new Map()

exports.activate = (context) => {
  const operations = {
    info: () => ({
      version: vscode.version,
      storage: context.storageUri?.fsPath,
      globalStorage: context.globalStorageUri.fsPath,
      remoteName: vscode.env.remoteName ?? null,
      extensionKind: vscode.ExtensionKind[vscode.extensions.getExtension(UNDER_TEST).extensionKind],
      isTrusted: vscode.workspace.isTrusted,
      folderScheme: vscode.workspace.workspaceFolders?.[0]?.uri.scheme ?? null,
    }),
    tools: () =>
      vscode.lm.tools.map(({ name, description, inputSchema, tags }) => ({
        name,
        description,
        inputSchema,
        tags,
      })),
    isActive: () => vscode.extensions.getExtension(UNDER_TEST)?.isActive,
    activationOf,
    models: async () => (await vscode.lm.selectChatModels({ vendor: 'probe' })).length,
    async invoke({ name, input }) {
      const { content } = await vscode.lm.invokeTool(name, {
        input,
        toolInvocationToken: undefined,
      })
      return content.map((part) =>
        part instanceof vscode.LanguageModelTextPart ? part.value : { kind: typeof part },
      )
    },
    /** What the tool sets out with throws. Everybody else in this process has it as it was. */
    async invokeFailing(request) {
      const real = globalThis.AbortController
      globalThis.AbortController = class extends real {
        constructor() {
          super()
          const asking = new Error('who asks').stack.split('\n').slice(2).join('\n')
          if (asking.includes('copilot-chat-secretary')) throw new Error('thrown by the test')
        }
      }
      try {
        return await operations.invoke(request)
      } finally {
        globalThis.AbortController = real
      }
    },
    command: ({ id, args = [] }) => vscode.commands.executeCommand(id, ...args),
    clipboard: () => vscode.env.clipboard.readText(),
    document: () => vscode.window.activeTextEditor?.document.getText(),
    open: async ({ path, line }) => {
      const document = await vscode.workspace.openTextDocument(path)
      const editor = await vscode.window.showTextDocument(document)
      editor.selection = new vscode.Selection(line, 0, line, 0)
    },
    configure: ({ name, value }) =>
      vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global),
    /** As every extension of the window sees it. */
    setting: ({ name }) => vscode.workspace.getConfiguration().get(name),
    place: () => {
      const editor = vscode.window.activeTextEditor
      return { path: editor?.document.uri.fsPath, line: editor?.selection.active.line }
    },
    async hovers({ path, line }) {
      const place = new vscode.Position(line, 1)
      const file = vscode.Uri.file(path)
      const found = await vscode.commands.executeCommand('vscode.executeHoverProvider', file, place)
      return found.flatMap(({ contents }) => contents.map(({ value }) => value))
    },
    tabs: () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label)),
    plan({ words, name, input }) {
      inChat.delete(words)
      planned.set(words, { name, input })
    },
    async ask({ words, name, input }) {
      inChat.delete(words)
      planned.set(words, { name, input })
      await vscode.commands.executeCommand('workbench.action.chat.open', {
        query: `@probe ${words}`,
      })
      return null
    },
    inChat: ({ words }) => inChat.get(words) ?? null,
  }
  serve(operations, context)
  offerModel(context)
  for (const id of ['secretary-test.probe', 'secretary-test.inline'])
    context.subscriptions.push(vscode.chat.createChatParticipant(id, callPlanned))
}

/** Calls what was planned for these words, as an agent that is asked would. */
async function callPlanned(request, _context, stream, token) {
  const { name, input } = planned.get(request.prompt)
  try {
    const { content } = await vscode.lm.invokeTool(
      name,
      { input, toolInvocationToken: request.toolInvocationToken },
      token,
    )
    const text = content.map(({ value }) => value).join('')
    inChat.set(request.prompt, { text })
    const { firstRequest, request: asked } = JSON.parse(text)
    stream.markdown(`You asked: *${firstRequest ?? asked}*`)
  } catch (error) {
    inChat.set(request.prompt, { error: String(error) })
  }
}

function serve(operations, context) {
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    request.on('end', async () => {
      try {
        const { operation, ...rest } = JSON.parse(text)
        const result = await operations[operation](rest)
        response.end(JSON.stringify({ result: result ?? null }))
      } catch (error) {
        response.end(JSON.stringify({ error: String(error?.stack ?? error) }))
      }
    })
  })
  server.listen(0, '127.0.0.1', () => {
    const folder = process.env.SECRETARY_PROBES
    const path = join(folder, `${process.pid}.json`)
    mkdirSync(folder, { recursive: true })
    const about = {
      port: server.address().port,
      pid: process.pid,
      folder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? null,
    }
    writeFileSync(`${path}.part`, JSON.stringify(about))
    renameSync(`${path}.part`, path)
  })
  context.subscriptions.push({ dispose: () => server.close() })
}

/**
 * Activates an extension alone, and tells what it loaded: its own files with their sizes, and the parts of Node that were
 * not loaded before. Extensions of this process share one cache of modules.
 */
async function activationOf({ id }) {
  const extension = vscode.extensions.getExtension(id)
  if (extension.isActive) throw new Error(`${id} is active already`)
  const known = new Set(process.moduleLoadList)
  await extension.activate()
  return {
    folder: extension.extensionPath,
    files: Object.keys(require.cache)
      .filter((path) => path.startsWith(extension.extensionPath))
      .map((path) => ({
        path: relative(extension.extensionPath, path),
        bytes: statSync(path).size,
      })),
    builtins: process.moduleLoadList.filter((name) => !known.has(name)),
  }
}

/** The chat opens only where there is a model. */
function offerModel(context) {
  const model = {
    id: 'probe-model',
    name: 'Probe Model',
    family: 'probe',
    version: '1',
    maxInputTokens: 100000,
    maxOutputTokens: 4000,
    capabilities: { toolCalling: true },
  }
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('probe', {
      provideLanguageModelChatInformation: () => [model],
      provideLanguageModelChatResponse: async (_model, _messages, _options, progress) =>
        progress.report(new vscode.LanguageModelTextPart('A model that says one thing.')),
      provideTokenCount: async () => 1,
    }),
  )
}
