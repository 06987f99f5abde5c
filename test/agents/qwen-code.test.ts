import { claudeCode } from './claude-code.ts'
import { proveAgent, type RealAgent } from './prove-agent.ts'
import { proveInTerminal } from './prove-in-terminal.ts'
import { proveTogether } from './prove-together.ts'
import { sendHelper, writeDocs } from './write-docs.ts'

const qwenCode: RealAgent = {
  id: 'qwen-code',
  source: 'qwen-code',
  sessions: /^\.qwen\/projects\/.*\/(chats|subagents)\/.*\.jsonl$/,
  hasHook: true,
  env: ({ model }) => ({
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: 'dummy',
    OPENAI_MODEL: 'scripted',
  }),
  // Tools of servers are named only, and called by their names.
  callTool: (tool, input) => [
    {
      call: 'tool_call',
      input: { name: `mcp__secretary__${tool}`, arguments: input },
    },
  ],
  args: (request, isFirst) => ['-p', request, '--yolo', ...(isFirst ? [] : ['--continue'])],
  beforeEdit: (file_path) => [{ call: 'read_file', input: { file_path } }],
  edit: (file_path, old_string, new_string) => ({
    call: 'edit',
    input: { file_path, old_string, new_string },
  }),
  command: (command) => ({ call: 'run_shell_command', input: { command, is_background: false } }),
  helper: ({ project }) =>
    sendHelper(
      {
        call: 'agent',
        input: { ...writeDocs, subagent_type: 'general-purpose', run_in_background: false },
      },
      {
        call: 'write_file',
        input: { file_path: `${project}/docs/greet.md`, content: 'Be polite.\n' },
      },
    ),
}

proveAgent(qwenCode)
proveTogether(qwenCode, claudeCode)
proveInTerminal(qwenCode, {
  args: ['--yolo'],
  ready: /Type your message/,
  untyped: /Type your message/,
  busy: /esc to cancel/,
  stopped: /Request cancelled/,
  marksInterrupt: true,
  compaction: {
    command: '/compress',
    offered: /> +compress +Compresses/,
    over: /Chat history compressed/,
    isTold: true,
  },
  // It would ask the model what the person may want to type next.
  settings: (house) =>
    house.write(
      house.inHome('.qwen', 'settings.json'),
      JSON.stringify({ ui: { enableFollowupSuggestions: false } }),
    ),
})
