import { claudeCode } from './claude-code.ts'
import { proveAgent, type RealAgent } from './prove-agent.ts'
import { proveEditNotes } from './prove-edit-notes.ts'
import { proveInTerminal } from './prove-in-terminal.ts'
import { proveTogether } from './prove-together.ts'
import { sendHelper, writeDocs } from './write-docs.ts'

const opencode: RealAgent = {
  id: 'opencode',
  source: 'opencode',
  sessions: /opencode\.db$/,
  settings: (house) =>
    house.write(
      house.inHome('.config', 'opencode', 'opencode.json'),
      JSON.stringify({
        model: 'scripted/scripted',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${house.model.url}/v1`, apiKey: 'dummy' },
            models: { scripted: { name: 'Scripted' } },
          },
        },
      }),
    ),
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  hasHook: true,
  // What is given as an argument it puts in quotes before it stores it.
  args: (_request, isFirst) => ['run', ...(isFirst ? [] : ['--continue'])],
  input: (request) => request,
  beforeEdit: (filePath) => [{ call: 'read', input: { filePath } }],
  edit: (filePath, oldString, newString) => ({
    call: 'edit',
    input: { filePath, oldString, newString },
  }),
  command: (command) => ({ call: 'bash', input: { command, description: 'Run the tests' } }),
  helper: ({ project }) =>
    sendHelper(
      { call: 'task', input: { ...writeDocs, subagent_type: 'general' } },
      { call: 'write', input: { filePath: `${project}/docs/greet.md`, content: 'Be polite.\n' } },
    ),
}

proveAgent(opencode)
proveEditNotes(opencode)
proveTogether(opencode, claudeCode)
proveInTerminal(opencode, {
  args: [],
  ready: /Ask anything/,
  // A panel beside the empty lines shows the folder, in as many lines as its name needs.
  untyped: /Ask anything|(┃ *( {50}.*)?\n *){3}┃ +Build /,
  busy: /esc interrupt/,
  stopped: /Build · Scripted · interrupted/,
  again: /esc again to interrupt/,
  marksInterrupt: true,
  compaction: { command: '/compact', over: /Compaction · Scripted · [\d.]+/, isTold: true },
})
