import { claudeCode } from './claude-code.ts'
import { proveAgent, type RealAgent } from './prove-agent.ts'
import { proveEditNotes } from './prove-edit-notes.ts'
import { proveInTerminal } from './prove-in-terminal.ts'
import { proveRules } from './prove-rules.ts'
import { proveTogether } from './prove-together.ts'
import { sendHelper, writeDocs } from './write-docs.ts'

const kilo: RealAgent = {
  id: 'kilo',
  source: 'kilo',
  sessions: /kilo\.db$/,
  settings: (house) =>
    house.write(
      house.inHome('.config', 'kilo', 'kilo.json'),
      JSON.stringify({
        model: 'scripted/scripted',
        // Where these take long, it asks whether to go on without them.
        snapshot: false,
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${house.model.url}/v1`, apiKey: 'dummy' },
            models: { scripted: { name: 'Scripted' } },
          },
        },
      }),
    ),
  env: () => ({
    KILO_DISABLE_AUTOUPDATE: '1',
    KILO_DISABLE_MODELS_FETCH: '1',
    KILO_DISABLE_SESSION_INGEST: '1',
    KILO_DISABLE_SHARE: '1',
  }),
  hasHook: true,
  args: (_request, isFirst) => ['run', '--auto', ...(isFirst ? [] : ['--continue'])],
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

proveAgent(kilo)
proveEditNotes(kilo)
proveRules(kilo)
proveTogether(kilo, claudeCode)
proveInTerminal(kilo, {
  args: [],
  ready: /Ask anything/,
  // A panel beside the empty lines shows the folder, in as many lines as its name needs.
  untyped: /Ask anything|(┃ *( {50}.*)?\n *){3}┃ +Code /,
  busy: /esc interrupt/,
  stopped: /Code · Scripted · interrupted/,
  again: /esc again to interrupt/,
  marksInterrupt: true,
  compaction: { command: '/compact', over: /Compaction · Scripted · [\d.]+/, isTold: true },
})
