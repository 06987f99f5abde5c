import { claudeCode } from './claude-code.ts'
import { proveAgent, type RealAgent } from './prove-agent.ts'
import { proveInTerminal } from './prove-in-terminal.ts'
import { provePlugin } from './prove-plugin.ts'
import { proveTogether } from './prove-together.ts'
import { sendHelper, writeDocs } from './write-docs.ts'

const geminiCli: RealAgent = {
  id: 'gemini-cli',
  source: 'gemini-cli',
  sessions: /^\.gemini\/(tmp\/.*(chats\/.*|\.project_root)|projects\.json)$/,
  hasHook: true,
  settings: (house) =>
    house.write(
      house.inHome('.gemini', 'settings.json'),
      JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
      }),
    ),
  env: ({ model }) => ({
    GEMINI_API_KEY: 'dummy',
    GOOGLE_GEMINI_BASE_URL: model.url,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_TELEMETRY_ENABLED: 'false',
    NO_BROWSER: '1',
  }),
  args: (request, isFirst) => ['-p', request, '--yolo', ...(isFirst ? [] : ['-r', 'latest'])],
  edit: (file_path, old_string, new_string) => ({
    call: 'replace',
    input: { file_path, old_string, new_string, instruction: 'Greet properly' },
  }),
  command: (command) => ({ call: 'run_shell_command', input: { command } }),
  helper: ({ project }) =>
    sendHelper(
      { call: 'invoke_agent', input: { agent_name: 'generalist', prompt: writeDocs.prompt } },
      {
        call: 'write_file',
        input: { file_path: `${project}/docs/greet.md`, content: 'Be polite.\n' },
      },
      { call: 'complete_task', input: { result: { response: 'The file is written.' } } },
    ),
}

proveAgent(geminiCli)
provePlugin(geminiCli, {
  checks: (root) => [['extensions', 'validate', `${root}plugins/gemini-cli`]],
  consent: 'y\n',
})
proveTogether(geminiCli, claudeCode)
proveInTerminal(geminiCli, {
  args: ['--yolo'],
  ready: /Type your message/,
  untyped: /Type your message/,
  busy: /esc to cancel/,
  stopped: /Request cancelled/,
  marksInterrupt: true,
  compaction: {
    command: '/compress',
    offered: /\/compress\s+compress +Compresses/,
    over: /Chat history compressed/,
  },
})
